// SPDX-License-Identifier: MIT
//
// Grows the net over words to its fixpoint. Sets of states only grow, so it does not matter in which order points are
// looked at.
#include "mc/footprints/word_net.hpp"

#include <algorithm>
#include <bit>

namespace rehearse::mc::footprints {

void WordNet::clear() {
  points_.clear();
  steps_.clear();
  messages_.clear();
  point_by_key_.clear();
  known_steps_.clear();
  channels_.clear();
  by_actor_.assign(machine_.actor_count(), {});
  queue_.clear();
  late_queue_.clear();
  is_queued_.clear();
}

void WordNet::grow(const GoesOn& goes_on) {
  goes_on_ = &goes_on;
  bases_.resize(machine_.actor_count());
  for (;;) {
    clear();
    try {
      for (std::uint32_t actor = 0; actor < machine_.actor_count(); ++actor) start(actor);
      while (const std::optional<PointId> point = next_point()) {
        if (rules_.looks_again) is_queued_[*point] = false;
        look_at(*point);
      }
      return;
    } catch (const Again&) {  // what is known of channels and bases has changed
    } catch (const CellsChanged&) {
    }
  }
}

// Points that seem to be bases come last: with more states, they may not be.
std::optional<PointId> WordNet::next_point() {
  while (!queue_.empty()) {
    const PointId point = queue_.front();
    queue_.pop_front();
    if (!has_taken_all(points_[point])) return point;
    late_queue_.push_back(point);
  }
  if (late_queue_.empty()) return {};
  const PointId point = late_queue_.front();
  late_queue_.pop_front();
  return point;
}

Word WordNet::sent_in(const Channel& channel) {
  return sent_in_.emplace(channel, first_own_word + sent_in_.size()).first->second;
}

void WordNet::start(std::uint32_t actor) {
  const Effect effect = machine_.start(actor);
  ++runs_;
  WordStates states;
  states.needs.assign(machine_.actor_count(), 0);
  Step step;
  step.actor = actor;
  Values sent;
  MessageId last = none;
  for (const Emission& emission : effect.sends) {
    Value& number = sent[sent_in({{actor, emission.context}, emission.destination})];
    last = message_of(actor, emission, rules_.counts_sends ? static_cast<std::uint32_t>(number) : 0, states.needs);
    step.sends.push_back(last);
    ++number;
  }
  for (const auto& values : {effect.writes, sent})
    for (const auto& [word, value] : values) states.words[word] = always(value);
  if (!effect.trouble.empty())
    step.to = reach(actor, {Place::Kind::failed, {}, {}, 0, effect.trouble}, actor, {}, none);
  else step.to = reach(actor, effect.next, actor, std::move(states), last);
  add_step(std::move(step));
}

void WordNet::put(PointId point) {
  const Place::Kind kind = points_[point].place.kind;
  if (is_queued_[point] || (kind != Place::Kind::receives && kind != Place::Kind::sends)) return;
  is_queued_[point] = true;
  queue_.push_back(point);
}

void WordNet::look_at(PointId point) {
  const View view = view_of(point);
  if (view.place.kind == Place::Kind::sends) return try_all(view, sets_before(view, none), none);
  std::vector<MessageId> all;  // more may come meanwhile
  for (const auto& [channel, numbers] : channels_)
    if (channel.second == view.actor && view.place.listens(channel.first.source, channel.first.context))
      for (const std::vector<MessageId>& contents : numbers) all.insert(all.end(), contents.begin(), contents.end());
  for (const MessageId message : all)
    if (!view.place.tag || *view.place.tag == messages_[message].content.tag) try_message(view, message);
}

WordNet::View WordNet::view_of(PointId id) {
  const Point& point = points_[id];
  View view{point.actor, id, point.place, point.base, point.states, {}};
  if (is_base(id)) begin_base(view);
  for (const auto& [word, function] : view.states.words) {
    if (function.constant) view.known.values.emplace_hint(view.known.values.end(), word, *function.constant);
    else view.known.open.emplace_hint(view.known.open.end(), word);
  }
  return view;
}

// If a point was a base and is none any more, its steps went to the wrong points.
bool WordNet::is_base(PointId id) {
  const Point& point = points_[id];
  const auto known = base_after_.find({point.actor, point.place, point.base, point.states.count, point.own});
  if (known == base_after_.end()) return has_taken_all(point);
  if (!rules_.checks_bases) return true;
  if (bases_[known->second].has_other_sets) return false;
  if (has_taken_all(point) && taken_at(point) == bases_[known->second].taken) return true;
  bases_[known->second].has_other_sets = true;
  throw Again{};
}

// Whether all states of the point have taken the same messages. Not at sends: they are points of their own for each
// message, so each order of messages would have bases of its own.
bool WordNet::has_taken_all(const Point& point) const {
  if (point.place.kind == Place::Kind::sends) return false;
  if (point.states.count == 0 || point.states.may_be_taken.size() != point.states.count) return false;
  std::set<std::pair<Line, std::uint32_t>> slots;
  for (const MessageId message : point.states.may_be_taken)
    slots.emplace(Line{messages_[message].source, messages_[message].context}, messages_[message].number);
  return slots.size() == point.states.count;
}

// The messages that all states of a base have taken.
WordNet::Numbers WordNet::taken_at(const Point& point) const {
  Numbers taken = bases_[point.base].taken;
  for (const MessageId message : point.states.may_be_taken)
    taken[{messages_[message].source, messages_[message].context}].insert(messages_[message].number);
  return taken;
}

void WordNet::begin_base(View& view) {
  const auto [known, is_new] =
      base_after_.emplace(PointKey(view.actor, view.place, view.base, view.states.count, points_[view.point].own),
                          static_cast<std::uint32_t>(bases_.size()));
  if (is_new) bases_.push_back({taken_at(points_[view.point]), bases_[view.base].count + view.states.count});
  view.base = known->second;
  const TakenSets all = sets_of_all(view);
  for (auto& [word, function] : view.states.words) {
    const std::optional<Value> value = only_value(all, word, function);
    function = value ? always(*value) : nothing_known();
  }
  view.states.count = 0;
  view.states.may_be_taken.clear();
}

// The only set of messages of a base.
TakenSets WordNet::sets_of_all(const View& view) const {
  std::map<std::pair<Line, std::uint32_t>, std::vector<MessageId>> by_number;
  for (const MessageId id : view.states.may_be_taken)
    by_number[{{messages_[id].source, messages_[id].context}, messages_[id].number}].push_back(id);
  std::vector<TakenRun> runs;
  for (auto& [number, contents] : by_number) runs.push_back({{std::move(contents)}, 1, 1});
  return {view.states.count, std::move(runs)};
}

// `arriving`: none before a step without a message.
TakenSets WordNet::sets_before(const View& view, MessageId arriving) const {
  std::map<Line, ByNumber> by_line;
  for (const MessageId id : view.states.may_be_taken) {
    const Message& message = messages_[id];
    auto& numbers = by_line[{message.source, message.context}];
    if (numbers.size() <= message.number) numbers.resize(message.number + std::size_t{1});
    numbers[message.number].push_back(id);
  }
  if (arriving != none) by_line[{messages_[arriving].source, messages_[arriving].context}];
  std::vector<TakenRun> runs;
  for (const auto& [line, numbers] : by_line) {
    if (not_in_order_.contains({line, view.actor})) add_single_runs(view, line, numbers, arriving, runs);
    else runs.push_back(run_in_order(view, line, numbers, arriving));
  }
  if (!rules_.counts_taken) {
    std::uint32_t all = 0;
    for (TakenRun& run : runs) all += run.least = run.most;
    return {all, std::move(runs)};
  }
  return {view.states.count, std::move(runs)};
}

TakenRun WordNet::run_in_order(const View& view, const Line& line, const ByNumber& numbers, MessageId arriving) const {
  const auto taken = bases_[view.base].taken.find(line);
  const auto first = static_cast<std::uint32_t>(taken == bases_[view.base].taken.end() ? 0 : taken->second.size());
  TakenRun run;
  for (std::uint32_t number = first; number < numbers.size() && !numbers[number].empty(); ++number)
    run.numbers.push_back(numbers[number]);
  run.most = static_cast<std::uint32_t>(run.numbers.size());
  if (!is_of(arriving, line)) return run;
  const Message& message = messages_[arriving];
  if (message.number < first) {
    run.least = 1;  // it was taken before: no set
    run.most = 0;
    return run;
  }
  run.least = message.number - first;
  run.most = std::min(run.most, run.least);
  return run;
}

bool WordNet::is_of(MessageId message, const Line& line) const {
  return message != none && messages_[message].source == line.source && messages_[message].context == line.context;
}

// Each number by itself. The receive passes over an earlier number only if it does not accept one of its contents.
void WordNet::add_single_runs(const View& view, const Line& line, const ByNumber& numbers, MessageId arriving,
                              std::vector<TakenRun>& into) const {
  const bool is_here = is_of(arriving, line);
  const std::uint32_t arrived = is_here ? messages_[arriving].number : 0;
  const auto base = bases_[view.base].taken.find(line);
  const auto was_taken = [&](std::uint32_t number) {
    return base != bases_[view.base].taken.end() && base->second.contains(number);
  };
  const auto is_required = [&](std::uint32_t number) {
    if (!is_here || number >= arrived || was_taken(number)) return false;
    return std::ranges::all_of(channels_.at({line, view.actor})[number], [&](MessageId earlier) {
      return view.place.accepts(line.source, line.context, messages_[earlier].content.tag);
    });
  };
  const std::size_t end = std::max<std::size_t>(numbers.size(), arrived);
  for (std::uint32_t number = 0; number < end; ++number) {
    TakenRun run;
    if (number < numbers.size() && !numbers[number].empty()) run.numbers.push_back(numbers[number]);
    run.most = static_cast<std::uint32_t>(run.numbers.size());
    run.least = is_required(number) ? 1 : 0;
    if (is_here && number == arrived) run.most = 0;
    into.push_back(std::move(run));
  }
  if (is_here && was_taken(arrived)) into.push_back({{}, 1, 0});
}

// The step with the message, for all combinations of the values that it reads.
void WordNet::try_message(const View& view, MessageId message) {
  if (messages_[message].needs[view.actor] > bases_[view.base].count + view.states.count) return;
  const TakenSets sets = sets_before(view, message);
  if (sets.is_possible()) try_all(view, sets, message);
}

Effect WordNet::run(const View& view, MessageId message, const Known& known) {
  ++runs_;
  if (message == none) return machine_.go_on(view.actor, view.place, known);
  const Message& taken = messages_[message];
  return machine_.step(view.actor, view.place, {taken.source, taken.content, taken.context}, known);
}

void WordNet::try_all(const View& view, const TakenSets& sets, MessageId message) {
  std::vector<Known> branches{view.known};
  while (!branches.empty()) {
    if (++tries_ > limits_.tries) throw NoProof{"too many combinations of values"};
    if (*goes_on_ && !(*goes_on_)()) throw NoProof{"it took too long"};
    Known now = std::move(branches.back());
    branches.pop_back();
    const Effect effect = run(view, message, now);
    const Opened opened = open(view, sets, effect, now);
    if (opened.choice) {
      now.open.erase(opened.choice->first);
      for (const Value value : opened.choice->second) {
        now.values[opened.choice->first] = value;
        branches.push_back(now);
      }
    } else if (!opened.is_as_found) {
      branches.push_back(std::move(now));  // with these values
    } else if (!effect.gap.empty()) {
      throw NoProof{effect.gap};
    } else if (opened.unknown) {
      throw NoProof{machine_.words_of(view.actor, *opened.unknown)};
    } else {
      finish(view, sets, message, now.values, effect);
    }
  }
}

// Adds the values of words that have one value. What the step does with unknown values may not be what it does with the
// others, so unknown words count only if nothing else is left.
WordNet::Opened WordNet::open(const View& view, const TakenSets& sets, const Effect& effect, Known& now) {
  Opened opened;
  for (const auto& [word, found] : open_words(view, effect, now.values)) {
    const auto values = sets.values(word, view.states.words.at(word), limits_.values);
    if (!values) {
      if (!opened.unknown) opened.unknown = word;
    } else if (values->empty() || (values->size() > 1 && rules_.tries_all_values)) {
      if (!opened.choice || values->empty()) opened.choice.emplace(word, *values);
    } else {
      opened.is_as_found = opened.is_as_found && (word >= first_own_word || found == *values->begin());
      now.values[word] = *values->begin();
      now.open.erase(word);
    }
  }
  return opened;
}

Values WordNet::open_words(const View& view, const Effect& effect, const Values& known) {
  Values open;
  for (const auto& [word, value] : effect.reads)
    if (!known.contains(word) && view.states.words.contains(word)) open.emplace(word, value);
  if (!effect.trouble.empty() || !effect.gap.empty()) return open;
  for (const Emission& sent : effect.sends) {
    const Word counter = sent_in({{view.actor, sent.context}, sent.destination});
    if (!known.contains(counter) && view.states.words.contains(counter)) open.emplace(counter, 0);
  }
  return open;
}

void WordNet::finish(const View& view, const TakenSets& sets, MessageId message, const Values& values,
                     const Effect& effect) {
  Step step;
  step.actor = view.actor;
  step.from = view.point;
  step.taken = message;
  if (!effect.trouble.empty()) {
    step.to = reach(view.actor, {Place::Kind::failed, {}, {}, 0, effect.trouble}, view.base, {}, none);
    return add_step(std::move(step));
  }
  Needs needs = view.states.needs;
  if (message != none) {
    for (std::size_t other = 0; other < needs.size(); ++other)
      needs[other] = std::max(needs[other], messages_[message].needs[other]);
    needs[view.actor] = bases_[view.base].count + view.states.count + 1;
  }
  std::map<Word, Value> sent;
  MessageId last = none;
  for (const Emission& emission : effect.sends) {
    const Word counter = sent_in({{view.actor, emission.context}, emission.destination});
    const auto before = values.find(counter);
    const auto number = static_cast<std::uint32_t>((before == values.end() ? 0 : before->second) + sent[counter]++);
    last = message_of(view.actor, emission, rules_.counts_sends ? number : 0, needs);
    step.sends.push_back(last);
  }
  Effect whole = effect;
  for (const auto& [counter, count] : sent) whole.sums[counter] = static_cast<std::int64_t>(count);
  WordStates after = states_after(view, sets, message, values, whole);
  after.needs = std::move(needs);
  step.to = reach(view.actor, effect.next, view.base, std::move(after), last);
  add_step(std::move(step));
}

std::optional<Value> WordNet::only_value(const TakenSets& sets, Word word, const WordFunction& function) const {
  const auto values = sets.values(word, function, rules_.needs_old_value ? 1 : limits_.values);
  if (!values || values->empty()) return {};
  return *values->begin();
}

// The states of this view in which the words have these values, after the step.
WordStates WordNet::states_after(const View& view, const TakenSets& sets, MessageId message, const Values& values,
                                 const Effect& effect) {
  WordStates after = view.states;
  const auto list = [&](const auto& changes) {
    for (const auto& change : changes)
      if (!after.words.contains(change.first))
        after.words.emplace(change.first, always(initial(view.actor, change.first)));
  };
  list(effect.writes);
  list(effect.sums);
  list(effect.real_sums);
  if (message != none) {
    ++after.count;
    after.may_be_taken.insert(message);
  }
  for (auto& [word, function] : after.words) {
    const auto chosen = values.find(word);
    std::optional<Value> before;  // in all these states
    if (chosen != values.end()) before = chosen->second;
    else if (function.constant) before = function.constant;
    if (!before && effect.writes.contains(word)) before = only_value(sets, word, function);
    change(function, word, message, before, effect);
  }
  return after;
}

namespace {

// The sum is another one from the base on: only integers can say so.
void move_base(WordFunction& function, Word word, const Amount& amount) {
  if (amount.is_nothing()) return;
  if (is_real(word)) function = {false, 0, {}, function.constant};
  else function.at_base = truncated(word, function.at_base + amount.value);
}

// One addition, rounded to nearest.
std::optional<Value> after_additions(Value before, const RealAmount& more) {
  if (more.additions != 1) return {};
  return std::bit_cast<Value>(std::bit_cast<double>(before) + more.amount);
}

}  // namespace

// What the step does to the word. `before`: its value in all states that the step starts from, if that is known.
void WordNet::change(WordFunction& function, Word word, MessageId message, std::optional<Value> before,
                     const Effect& effect) const {
  const auto written = effect.writes.find(word);
  const auto added = effect.sums.find(word);
  const auto added_real = effect.real_sums.find(word);
  std::optional<Amount> amount = Amount();
  std::optional<Value> after = before;
  if (written != effect.writes.end()) {
    after = written->second;
    if (!before || (is_real(word) && *before != *after)) amount.reset();
    else if (!is_real(word)) amount->value = truncated(word, *after - *before);
  } else if (added_real != effect.real_sums.end()) {
    amount = amount_of(added_real->second);
    if (before) after = after_additions(*before, added_real->second);
  } else if (added != effect.sums.end()) {
    amount->value = truncated(word, static_cast<Value>(added->second));
    if (before) after = truncated(word, *before + amount->value);
  }
  function.constant = after;
  if (!function.is_sum) return;
  if (!amount) function = {false, 0, {}, after};
  else if (message != none) function.set_amount(message, *amount);
  else move_base(function, word, *amount);
}

// At ends, memory is gone: each actor has one point for each way to end. `own`: the last message that was sent.
PointId WordNet::reach(std::uint32_t actor, const Place& place, std::uint32_t base, WordStates states, MessageId own) {
  const bool waits = place.kind == Place::Kind::receives || place.kind == Place::Kind::sends;
  if (place.kind != Place::Kind::sends) own = none;
  if (!waits) {
    base = 0;
    states = {};
  }
  const auto [known, is_new] =
      point_by_key_.emplace(PointKey(actor, place, base, states.count, own), static_cast<PointId>(points_.size()));
  const PointId id = known->second;
  if (!is_new) {
    const auto initial_of = [this, actor](Word word) { return initial(actor, word); };
    if (points_[id].states.join(states, initial_of, rules_.join)) put(id);
    return id;
  }
  points_.push_back({actor, place, base, std::move(states), own});
  by_actor_[actor].push_back(id);
  is_queued_.push_back(false);
  put(id);
  for (const auto& [channel, numbers] : channels_)
    if (channel.second == actor)
      for (const std::vector<MessageId>& contents : numbers)
        for (const MessageId message : contents)
          check_order(actor, place, channel.first, messages_[message].content.tag);
  return id;
}

MessageId WordNet::message_of(std::uint32_t source, const Emission& emission, std::uint32_t number,
                              const Needs& needs) {
  const std::uint32_t destination = emission.destination;
  const Line line{source, emission.context};
  auto& channel = channels_[{line, destination}];
  if (channel.size() <= number) channel.resize(number + std::size_t{1});
  const auto looks_there = [&](PointId point) {
    const Place& place = points_[point].place;
    return place.accepts(source, emission.context, emission.content.tag);
  };
  for (const MessageId known : channel[number])
    if (messages_[known].content == emission.content) {
      if (rules_.join.compares_needs && join(messages_[known].needs, needs))
        for (const PointId point : by_actor_[destination])
          if (looks_there(point)) put(point);
      return known;
    }
  const auto id = static_cast<MessageId>(messages_.size());
  messages_.push_back({source, destination, number, emission.context, emission.content, needs});
  channel[number].push_back(id);
  for (const PointId point : by_actor_[destination]) {
    if (points_[point].place.listens(source, emission.context)) put(point);
    check_order(destination, points_[point].place, line, emission.content.tag);
  }
  return id;
}

// A receive that accepts the source but not the tag can pass over the message.
void WordNet::check_order(std::uint32_t actor, const Place& place, const Line& line, std::int64_t tag) {
  if (!rules_.passes_over || !place.listens(line.source, line.context) || !place.tag || *place.tag == tag) return;
  if (not_in_order_.insert({line, actor}).second) throw Again{};
}

void WordNet::add_step(Step step) {
  if (!known_steps_.emplace(step.from == none ? none - step.actor : step.from, step.taken, step.to, step.sends).second)
    return;
  if (steps_.size() >= limits_.steps) throw NoProof{"too many steps"};
  steps_.push_back(std::move(step));
}

}  // namespace rehearse::mc::footprints
