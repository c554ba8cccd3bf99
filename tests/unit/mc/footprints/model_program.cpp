// SPDX-License-Identifier: MIT
//
// Actors that note what they read and write, brute force over their histories, and random programs.
#include "tests/unit/mc/footprints/model_program.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <tuple>
#include <utility>

namespace rehearse::tests {

namespace {

using namespace mc::footprints;
using Kind = ModelInstruction::Kind;
using Storing = ModelInstruction::Effect;
using Carries = ModelInstruction::Carries;

constexpr Word sum_word = 0, count_word = 1, first_stored_word = 2;
constexpr Word spare_word = 1000;
constexpr Value not_stored = 1000;

// Memory that notes its use.
class NotingMemory {
 public:
  NotingMemory(const Values& values, Effect& effect) : values_(values), effect_(effect) {}

  Value get(Word word) {
    if (const auto written = effect_.writes.find(word); written != effect_.writes.end()) return written->second;
    if (const auto moved = effect_.moves.find(word); moved != effect_.moves.end())
      return read(moved->second.from) + static_cast<Value>(moved->second.amount);
    const Value value = read(word);
    const auto added = effect_.sums.find(word);
    return added == effect_.sums.end() ? value : value + static_cast<Value>(added->second);
  }
  void set(Word word, Value value) {
    effect_.sums.erase(word);
    effect_.moves.erase(word);
    effect_.writes[word] = value;
  }
  void add(Word word, Value amount) {
    if (const auto written = effect_.writes.find(word); written != effect_.writes.end()) written->second += amount;
    else if (const auto moved = effect_.moves.find(word); moved != effect_.moves.end())
      moved->second.amount += static_cast<std::int64_t>(amount);
    else effect_.sums[word] += static_cast<std::int64_t>(amount);
  }
  // At the beginning of a step.
  void move(Word to, Word from, Value amount) { effect_.moves[to] = {from, static_cast<std::int64_t>(amount), {}}; }

 private:
  Value read(Word word) {
    const auto found = values_.find(word);
    const Value value = found == values_.end() ? 0 : found->second;
    effect_.reads[word] = value;
    return value;
  }

  const Values& values_;
  Effect& effect_;
};

class Model final : public Machine {
 public:
  explicit Model(ModelCode code) : code_(std::move(code)) {}

  std::uint32_t actor_count() const override { return static_cast<std::uint32_t>(code_.size()); }

  Effect start(std::uint32_t actor) override {
    Effect effect;
    Values memory{{sum_word, 0}, {count_word, 0}};
    for (std::uint32_t other = 0; other < actor_count(); ++other) memory[first_stored_word + other] = not_stored;
    run(actor, 0, nullptr, memory, effect);
    for (const auto& [word, value] : memory) effect.writes.emplace(word, value);
    effect.reads.clear();
    for (const auto& [word, amount] : effect.sums) effect.writes[word] += static_cast<Value>(amount);
    effect.sums.clear();
    return effect;
  }

  Value initial(std::uint32_t, Word) override { return 0; }
  std::string words_of(std::uint32_t, Word) const override { return "a word of which nothing is known"; }

  Effect go_on(std::uint32_t, const Place&, const Known&) override { return {}; }

  Effect step(std::uint32_t actor, const Place& place, const Arrived& message, const Known& known) override {
    const Values& values = known.values;
    Effect effect;
    NotingMemory memory(values, effect);
    keep(code_[actor][place.site - 1], message, memory);
    memory.set(count_word, memory.get(count_word) + 1);
    run(actor, place.site, &message, values, effect);
    return effect;
  }

 private:
  static void keep(const ModelInstruction& receive, const Arrived& message, NotingMemory& memory) {
    const Value got = message.content.payload;
    switch (receive.effect) {
      case Storing::add: memory.add(sum_word, got); break;
      case Storing::store: memory.set(first_stored_word + message.source, got); break;
      case Storing::mix: memory.set(sum_word, memory.get(sum_word) * 3 + got); break;
      case Storing::replace: memory.set(sum_word, got); break;
      case Storing::greatest:
        if (memory.get(sum_word) < got) memory.set(sum_word, got);
        break;
      case Storing::shift:
        if (memory.get(count_word) % 2 == 0) {
          memory.move(spare_word, sum_word, got);
          memory.set(sum_word, 0);
        } else {
          memory.move(sum_word, spare_word, got);
          memory.set(spare_word, 0);
        }
        break;
      case Storing::nothing: break;
    }
  }

  // From the instruction on, to the next receive, which is instruction number `site` - 1.
  void run(std::uint32_t actor, std::uint64_t from, const Arrived* message, const Values& values, Effect& effect) {
    NotingMemory memory(values, effect);
    const std::vector<ModelInstruction>& code = code_[actor];
    const auto fail = [&](const char* why) { effect.next = {Place::Kind::failed, {}, {}, 0, why, 0}; };
    for (std::uint64_t at = from; at < code.size(); ++at) {
      const ModelInstruction& now = code[at];
      const bool is_from = message != nullptr && now.actor && message->source == *now.actor;
      switch (now.kind) {
        case Kind::send: {
          const Value value = now.carries == Carries::sum     ? memory.get(sum_word)
                              : now.carries == Carries::count ? memory.get(count_word)
                              : now.carries == Carries::got   ? (message == nullptr ? 0 : message->content.payload)
                                                              : now.value;
          effect.sends.push_back({*now.actor, {*now.tag, value}, 0});
          break;
        }
        case Kind::reply:
          if (message != nullptr) effect.sends.push_back({message->source, {*now.tag, 1}, 0});
          break;
        case Kind::deal:
          if (message != nullptr && memory.get(count_word) < now.value)
            effect.sends.push_back({message->source, {*now.tag, 100 + memory.get(count_word)}, 0});
          break;
        case Kind::end_if_tag:
          if (message != nullptr && message->content.tag == *now.tag) {
            effect.next = {};
            return;
          }
          break;
        case Kind::receive: effect.next = {Place::Kind::receives, now.actor, now.tag, at + 1, "", 0}; return;
        case Kind::skip_if_from: at += is_from; break;
        case Kind::fail_if_from:
          if (is_from) return fail("a sender");
          break;
        case Kind::fail_if_sum:
          if (memory.get(sum_word) == now.value) return fail("a sum");
          break;
        case Kind::fail_unless_sum:
          if (memory.get(sum_word) != now.value) return fail("another sum");
          break;
        case Kind::skip_if_sum_less: at += memory.get(sum_word) < now.value; break;
        case Kind::fail_unless_stored:
          if (memory.get(first_stored_word + *now.actor) == not_stored) return fail("nothing stored");
          break;
      }
    }
    effect.next = {};
  }

  ModelCode code_;
};

void carry_out(const Effect& effect, Values& memory) {
  const Values before = memory;
  const auto old = [&](Word word) { return before.contains(word) ? before.at(word) : 0; };
  for (const auto& [word, move] : effect.moves) memory[word] = old(move.from) + static_cast<Value>(move.amount);
  for (const auto& [word, amount] : effect.sums) memory[word] += static_cast<Value>(amount);
  for (const auto& [word, value] : effect.writes) memory[word] = value;
}

// A message of a history: its source, its number in the channel, and its content.
using Taken = std::tuple<std::uint32_t, std::uint32_t, Content>;
using History = std::vector<Taken>;

class BruteForce {
 public:
  BruteForce(Machine& machine, std::size_t most_states) : machine_(machine), most_states_(most_states) {}

  std::optional<bool> run() {
    bool is_wrong = false;
    std::set<std::vector<History>> seen;
    std::vector<std::vector<History>> stack{std::vector<History>(machine_.actor_count())};
    seen.insert(stack.back());
    while (!stack.empty()) {
      if (seen.size() > most_states_) return {};
      const std::vector<History> state = std::move(stack.back());
      stack.pop_back();
      const std::vector<std::vector<History>> next = successors(state);
      if (next.empty()) is_wrong = is_wrong || is_error(state);
      for (const std::vector<History>& after : next)
        if (seen.insert(after).second) stack.push_back(after);
    }
    return is_wrong;
  }

 private:
  struct Local {
    Values memory;
    Place place;
    std::vector<Emission> sends;  // all so far
  };

  const Local& local(std::uint32_t actor, const History& history) {
    const auto key = std::pair(actor, history);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    Local now;
    Effect effect;
    if (history.empty()) {
      effect = machine_.start(actor);
    } else {
      now = local(actor, History(history.begin(), history.end() - 1));
      const auto& [source, number, content] = history.back();
      effect = machine_.step(actor, now.place, {source, content}, {now.memory, {}});
    }
    carry_out(effect, now.memory);
    now.place = effect.next;
    now.sends.insert(now.sends.end(), effect.sends.begin(), effect.sends.end());
    return known_.emplace(key, std::move(now)).first->second;
  }

  // The contents of each channel to the actor, by source.
  std::vector<std::vector<Content>> channels_to(std::uint32_t actor, const std::vector<History>& state) {
    std::vector<std::vector<Content>> channels(state.size());
    for (std::uint32_t source = 0; source < state.size(); ++source)
      for (const Emission& sent : local(source, state[source]).sends)
        if (sent.destination == actor) channels[source].push_back(sent.content);
    return channels;
  }

  static bool has_taken(const History& history, std::uint32_t source, std::uint32_t number) {
    return std::ranges::any_of(history, [&](const Taken& taken) {
      return std::get<0>(taken) == source && std::get<1>(taken) == number;
    });
  }

  std::vector<std::vector<History>> successors(const std::vector<History>& state) {
    std::vector<std::vector<History>> result;
    for (std::uint32_t actor = 0; actor < state.size(); ++actor) {
      const Place place = local(actor, state[actor]).place;
      const auto channels = channels_to(actor, state);
      for (std::uint32_t source = 0; source < state.size(); ++source)
        for (std::uint32_t number = 0; number < channels[source].size(); ++number) {
          const Content& content = channels[source][number];
          if (!place.accepts(source, 0, content.tag) || has_taken(state[actor], source, number)) continue;
          result.push_back(state);
          result.back()[actor].emplace_back(source, number, content);
          break;
        }
    }
    return result;
  }

  bool is_error(const std::vector<History>& state) {
    std::size_t taken = 0, sent = 0;
    for (std::uint32_t actor = 0; actor < state.size(); ++actor) {
      const Local& now = local(actor, state[actor]);
      if (now.place.kind != Place::Kind::ended) return true;
      taken += state[actor].size();
      sent += now.sends.size();
    }
    return taken != sent;
  }

  Machine& machine_;
  std::size_t most_states_;
  std::map<std::pair<std::uint32_t, History>, Local> known_;
};

// The sums of all actors after one random execution; an actor that fails or waits keeps its sum.
std::vector<Value> sums_of_an_execution(Machine& machine, std::mt19937& random) {
  std::vector<Values> memory;
  std::vector<Place> places;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Content>> channels;
  const auto follow = [&](std::uint32_t actor, const Effect& effect) {
    carry_out(effect, memory[actor]);
    places[actor] = effect.next;
    for (const Emission& sent : effect.sends) channels[{actor, sent.destination}].push_back(sent.content);
  };
  memory.resize(machine.actor_count());
  places.resize(machine.actor_count());
  for (std::uint32_t actor = 0; actor < machine.actor_count(); ++actor) follow(actor, machine.start(actor));
  for (;;) {
    std::vector<std::tuple<std::uint32_t, std::uint32_t, std::size_t>> ways;
    for (const auto& [channel, contents] : channels)
      for (std::size_t at = 0; at < contents.size(); ++at)
        if (places[channel.second].accepts(channel.first, 0, contents[at].tag)) {
          ways.emplace_back(channel.first, channel.second, at);
          break;
        }
    if (ways.empty()) break;
    const auto [source, actor, at] = ways[random() % ways.size()];
    std::vector<Content>& contents = channels[{source, actor}];
    const Content content = contents[at];
    contents.erase(contents.begin() + static_cast<std::ptrdiff_t>(at));
    follow(actor, machine.step(actor, places[actor], {source, content}, {memory[actor], {}}));
  }
  std::vector<Value> sums;
  for (const Values& words : memory) sums.push_back(words.at(sum_word));
  return sums;
}

}  // namespace

std::unique_ptr<Machine> make_model(ModelCode code) { return std::make_unique<Model>(std::move(code)); }

std::optional<bool> has_error(Machine& machine, std::size_t most_states) {
  return BruteForce(machine, most_states).run();
}

namespace {

ModelCode random_code(std::uint32_t seed, std::uint32_t percent_of_shifts) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t bound) { return static_cast<std::uint32_t>(random() % bound); };
  const auto chance = [&](std::uint32_t percent) { return below(100) < percent; };
  const std::uint32_t actors = 3 + below(3), hub = below(actors), tags = chance(33) ? 2 : 1;
  const bool is_dense = seed % 2 != 0;
  std::optional<Storing> style;
  if (chance(is_dense ? 65 : 50)) style = chance(50) ? Storing::add : Storing::store;
  ModelCode code(actors);
  for (std::uint32_t messages = is_dense ? 4 + below(4) : 2 + below(5); messages > 0; --messages) {
    const std::uint32_t source = below(actors);
    std::uint32_t destination = chance(is_dense ? 90 : 65) ? hub : below(actors);
    while (destination == source) destination = below(actors);
    ModelInstruction send, receive;
    send.kind = Kind::send;
    send.actor = destination;
    send.tag = below(tags);
    send.carries = chance(60) ? Carries::constant : chance(50) ? Carries::sum : Carries::count;
    send.value = 1 + below(4);
    if (chance(is_dense ? 12 : 30)) receive.actor = source;
    if (!chance(20)) receive.tag = send.tag;
    constexpr Storing effects[] = {Storing::add,   Storing::add, Storing::add,     Storing::store,    Storing::store,
                                   Storing::store, Storing::mix, Storing::replace, Storing::greatest, Storing::nothing};
    receive.effect = style ? *style : effects[below(10)];
    if (percent_of_shifts > 0 && chance(percent_of_shifts)) receive.effect = Storing::shift;
    code[source].push_back(send);
    code[destination].push_back(receive);
  }
  const bool has_order_assertions = chance(50);
  for (std::uint32_t actor = 0; actor < actors; ++actor) {
    std::ranges::shuffle(code[actor], random);
    if (chance(60)) std::ranges::stable_sort(code[actor], {}, [](const auto& i) { return i.kind == Kind::receive; });
    std::vector<ModelInstruction> body;
    for (const ModelInstruction& instruction : code[actor]) {
      body.push_back(instruction);
      if (instruction.kind != Kind::receive) continue;
      ModelInstruction more;
      more.actor = below(actors);
      more.tag = below(tags);
      more.value = 1 + below(7);
      const std::uint32_t which = below(100);
      if (which < 6) more.kind = Kind::reply;
      else if (which < 12) more.kind = Kind::skip_if_from;
      else if (which < 16 && has_order_assertions) more.kind = Kind::fail_if_from;
      else if (which < 20 && has_order_assertions) more.kind = Kind::fail_if_sum;
      else if (which < 24) more.kind = Kind::skip_if_sum_less;
      else continue;
      body.push_back(more);
    }
    if (chance(50))
      for (const ModelInstruction& instruction : code[actor])
        if (instruction.kind == Kind::receive && instruction.effect == Storing::store && instruction.actor) {
          ModelInstruction stored = instruction;
          stored.kind = Kind::fail_unless_stored;
          body.push_back(stored);
        }
    code[actor] = std::move(body);
  }
  const auto plain = make_model(code);
  const std::vector<Value> sums = sums_of_an_execution(*plain, random);
  for (std::uint32_t actor = 0; actor < actors; ++actor) {
    if (!chance(70)) continue;
    ModelInstruction assertion;
    assertion.kind = Kind::fail_unless_sum;
    assertion.value = sums[actor];
    code[actor].push_back(assertion);
  }
  return code;
}

}  // namespace

ModelCode random_model(std::uint32_t seed) { return random_code(seed, 0); }
ModelCode random_model_with_shifts(std::uint32_t seed) { return random_code(seed, 50); }

ModelCode bag_of_tasks(std::uint32_t workers, std::uint32_t further) {
  ModelCode code(workers + 1);
  const auto make = [](Kind kind, std::optional<std::uint32_t> actor, std::optional<std::int64_t> tag, Value value) {
    ModelInstruction instruction;
    instruction.kind = kind;
    instruction.actor = actor;
    instruction.tag = tag;
    instruction.value = value;
    return instruction;
  };
  Value sum = 0;
  for (std::uint32_t worker = 1; worker <= workers; ++worker) {
    code[0].push_back(make(Kind::send, worker, 0, worker));
    sum += worker;
  }
  for (std::uint32_t answer = 1; answer <= workers + further; ++answer) {
    code[0].push_back(make(Kind::receive, {}, 0, 0));
    code[0].push_back(make(Kind::deal, {}, 0, further + 1));
    if (answer <= further) sum += 100 + answer;
  }
  code[0].push_back(make(Kind::fail_unless_sum, {}, {}, sum));
  for (std::uint32_t worker = 1; worker <= workers; ++worker) {
    code[0].push_back(make(Kind::send, worker, 1, 0));
    for (std::uint32_t piece = 0; piece <= further + 1; ++piece) {
      code[worker].push_back(make(Kind::receive, 0, {}, 0));
      code[worker].back().effect = Storing::nothing;
      code[worker].push_back(make(Kind::end_if_tag, {}, 1, 0));
      code[worker].push_back(make(Kind::send, 0, 0, 0));
      code[worker].back().carries = Carries::got;
    }
  }
  return code;
}

ModelCode random_bag(std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
  ModelCode code = bag_of_tasks(2 + static_cast<std::uint32_t>(below(2)), static_cast<std::uint32_t>(below(4)));
  for (std::size_t changes = below(3); changes > 0; --changes) {
    std::vector<ModelInstruction>& actor = code[below(3) == 0 ? below(code.size()) : 0];
    if (actor.empty()) continue;
    const std::size_t at = below(actor.size());
    ModelInstruction& changed = actor[at];
    ModelInstruction more;
    more.actor = static_cast<std::uint32_t>(below(code.size()));
    more.tag = 0;
    more.value = below(2) == 0 ? 1 + below(6) : 100 + below(8);
    switch (below(7)) {
      case 0: changed.value += 1 - 2 * below(2); break;
      case 1: changed.tag.reset(); break;
      case 2: actor.erase(actor.begin() + static_cast<std::ptrdiff_t>(at)); continue;
      case 3: more.kind = Kind::fail_if_from; break;
      case 4: more.kind = Kind::skip_if_from; break;
      case 5: more.kind = Kind::fail_if_sum; break;
      default: more.kind = Kind::skip_if_sum_less; break;
    }
    if (changed.kind == Kind::send && !changed.tag) changed.tag = 1;
    if (changed.kind == Kind::deal && !changed.tag) changed.tag = 1;
    if (changed.kind == Kind::end_if_tag && !changed.tag) changed.tag = 0;
    if (more.kind != Kind::receive) actor.insert(actor.begin() + static_cast<std::ptrdiff_t>(at) + 1, more);
  }
  return code;
}

}  // namespace rehearse::tests
