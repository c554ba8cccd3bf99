// SPDX-License-Identifier: MIT
//
// Grows the net over words to its fixpoint. Sets of states only grow, so it does not matter in which order points are
// looked at.
#include "mc/footprints/word_net.hpp"

#include <algorithm>

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

void WordNet::start(std::uint32_t actor) {
  const Effect effect = machine_.start(actor);
  ++runs_;
  WordStates states;
  states.needs.assign(machine_.actor_count(), 0);
  Step step;
  step.actor = actor;
  std::map<Word, Value> sent;
  for (const Emission& emission : effect.sends) {
    const auto number = static_cast<std::uint32_t>(sent[sent_to(emission.destination)]++);
    step.sends.push_back(message_of(actor, emission, rules_.counts_sends ? number : 0, states.needs));
  }
  for (std::uint32_t other = 0; other < machine_.actor_count(); ++other) sent.emplace(sent_to(other), 0);
  for (const auto& values : {effect.writes, sent})
    for (const auto& [word, value] : values) states.words[word] = {true, value, {}, value};
  step.to = reach(actor, effect.next, actor, std::move(states));
  add_step(std::move(step));
}

void WordNet::put(PointId point) {
  if (is_queued_[point] || points_[point].place.kind != Place::Kind::receives) return;
  is_queued_[point] = true;
  queue_.push_back(point);
}

void WordNet::look_at(PointId point) {
  const View view = view_of(point);
  for (std::uint32_t source = 0; source < machine_.actor_count(); ++source) {
    const auto channel = channels_.find({source, view.actor});
    if (channel == channels_.end()) continue;
    const std::vector<std::vector<MessageId>> numbers = channel->second;  // more may come meanwhile
    for (const std::vector<MessageId>& contents : numbers)
      for (const MessageId message : contents)
        if (view.place.accepts(source, messages_[message].content.tag)) try_message(view, message);
  }
}

WordNet::View WordNet::view_of(PointId id) {
  const Point& point = points_[id];
  View view{point.actor, id, point.place, point.base, point.states};
  if (is_base(id)) begin_base(view);
  return view;
}

// If a point was a base and is none any more, its steps went to the wrong points.
bool WordNet::is_base(PointId id) {
  const Point& point = points_[id];
  const auto known = base_after_.find({point.actor, point.place, point.base, point.states.count});
  if (known == base_after_.end()) return has_taken_all(point);
  if (!rules_.checks_bases) return true;
  if (bases_[known->second].has_other_sets) return false;
  if (has_taken_all(point) && taken_at(point) == bases_[known->second].taken) return true;
  bases_[known->second].has_other_sets = true;
  throw Again{};
}

// Whether all states of the point have taken the same messages.
bool WordNet::has_taken_all(const Point& point) const {
  if (point.states.count == 0 || point.states.may_be_taken.size() != point.states.count) return false;
  std::set<std::pair<std::uint32_t, std::uint32_t>> slots;
  for (const MessageId message : point.states.may_be_taken)
    slots.emplace(messages_[message].source, messages_[message].number);
  return slots.size() == point.states.count;
}

// The messages that all states of a base have taken.
WordNet::Numbers WordNet::taken_at(const Point& point) const {
  Numbers taken = bases_[point.base].taken;
  for (const MessageId message : point.states.may_be_taken)
    taken[messages_[message].source].insert(messages_[message].number);
  return taken;
}

void WordNet::begin_base(View& view) {
  const auto [known, is_new] = base_after_.emplace(PointKey(view.actor, view.place, view.base, view.states.count),
                                                   static_cast<std::uint32_t>(bases_.size()));
  if (is_new) bases_.push_back({taken_at(points_[view.point]), bases_[view.base].count + view.states.count});
  view.base = known->second;
  for (auto& [word, function] : view.states.words) {
    std::optional<Value> value = function.constant;
    if (!value && function.is_sum) {
      value = function.at_base;
      for (const auto& [message, amount] : function.amounts) *value += amount;
    }
    function = value ? WordFunction{true, *value, {}, value} : WordFunction{false, 0, {}, {}};
  }
  view.states.count = 0;
  view.states.may_be_taken.clear();
}

TakenSets WordNet::sets_before(const View& view, MessageId arriving) const {
  std::map<std::uint32_t, std::vector<std::vector<MessageId>>> by_source;
  for (const MessageId message : view.states.may_be_taken) {
    auto& numbers = by_source[messages_[message].source];
    if (numbers.size() <= messages_[message].number) numbers.resize(messages_[message].number + 1);
    numbers[messages_[message].number].push_back(message);
  }
  by_source[messages_[arriving].source];
  std::vector<TakenRun> runs;
  for (const auto& [source, numbers] : by_source) {
    if (not_in_order_.contains({source, view.actor})) add_single_runs(view, source, numbers, arriving, runs);
    else runs.push_back(run_in_order(view, source, numbers, arriving));
  }
  if (!rules_.counts_taken) {
    std::uint32_t all = 0;
    for (TakenRun& run : runs) all += run.least = run.most;
    return {all, std::move(runs)};
  }
  return {view.states.count, std::move(runs)};
}

TakenRun WordNet::run_in_order(const View& view, std::uint32_t source,
                               const std::vector<std::vector<MessageId>>& numbers, MessageId arriving) const {
  const auto taken = bases_[view.base].taken.find(source);
  const auto first = static_cast<std::uint32_t>(taken == bases_[view.base].taken.end() ? 0 : taken->second.size());
  TakenRun run;
  for (std::uint32_t number = first; number < numbers.size() && !numbers[number].empty(); ++number)
    run.numbers.push_back(numbers[number]);
  run.most = static_cast<std::uint32_t>(run.numbers.size());
  const Message& message = messages_[arriving];
  if (message.source != source) return run;
  if (message.number < first) {
    run.least = 1;  // it was taken before: no set
    run.most = 0;
    return run;
  }
  run.least = message.number - first;
  run.most = std::min(run.most, run.least);
  return run;
}

// Each number by itself. The receive passes over an earlier number only if it does not accept one of its contents.
void WordNet::add_single_runs(const View& view, std::uint32_t source,
                              const std::vector<std::vector<MessageId>>& numbers, MessageId arriving,
                              std::vector<TakenRun>& into) const {
  const Message& message = messages_[arriving];
  const auto base = bases_[view.base].taken.find(source);
  const auto was_taken = [&](std::uint32_t number) {
    return base != bases_[view.base].taken.end() && base->second.contains(number);
  };
  const auto is_required = [&](std::uint32_t number) {
    if (message.source != source || number >= message.number || was_taken(number)) return false;
    return std::ranges::all_of(channels_.at({source, view.actor})[number], [&](MessageId earlier) {
      return view.place.accepts(source, messages_[earlier].content.tag);
    });
  };
  const std::size_t end = std::max<std::size_t>(numbers.size(), message.source == source ? message.number : 0);
  for (std::uint32_t number = 0; number < end; ++number) {
    TakenRun run;
    if (number < numbers.size() && !numbers[number].empty()) run.numbers.push_back(numbers[number]);
    run.most = static_cast<std::uint32_t>(run.numbers.size());
    run.least = is_required(number) ? 1 : 0;
    if (message.source == source && number == message.number) run.most = 0;
    into.push_back(std::move(run));
  }
  if (message.source == source && was_taken(message.number)) into.push_back({{}, 1, 0});
}

// The step with the message, for all combinations of the values that it reads.
void WordNet::try_message(const View& view, MessageId message) {
  if (messages_[message].needs[view.actor] > bases_[view.base].count + view.states.count) return;
  const TakenSets sets = sets_before(view, message);
  if (!sets.is_possible()) return;
  Values constants;
  for (const auto& [word, function] : view.states.words)
    if (function.constant) constants[word] = *function.constant;
  std::vector<Values> branches{std::move(constants)};
  while (!branches.empty()) {
    if (++tries_ > limits_.tries) throw NoProof{"too many combinations of values"};
    if (*goes_on_ && !(*goes_on_)()) throw NoProof{"it took too long"};
    const Values values = std::move(branches.back());
    branches.pop_back();
    ++runs_;
    const Effect effect = machine_.step(view.actor, view.place, {messages_[message].source, messages_[message].content},
                                        {values.begin(), values.lower_bound(first_own_word)});
    const std::optional<Word> open = open_word(effect, values);
    if (!open) {
      finish(view, sets, message, values, effect);
      continue;
    }
    for (const Value value : values_of(view, sets, *open)) {
      branches.push_back(values);
      branches.back()[*open] = value;
      if (!rules_.tries_all_values) break;
    }
  }
}

// A word whose value the step depends on, and which has none yet.
std::optional<Word> WordNet::open_word(const Effect& effect, const Values& values) {
  for (const auto& [word, value] : effect.reads)
    if (!values.contains(word)) return word;
  if (!effect.trouble.empty()) return {};
  for (const Emission& sent : effect.sends)
    if (!values.contains(sent_to(sent.destination))) return sent_to(sent.destination);
  return {};
}

std::set<Value> WordNet::values_of(const View& view, const TakenSets& sets, Word word) const {
  const auto known = view.states.words.find(word);
  std::optional<std::set<Value>> values;
  if (known != view.states.words.end()) values = sets.values(known->second, limits_.values);
  if (!values) throw NoProof{"a step reads memory that depends on the order of messages"};
  return *values;
}

void WordNet::finish(const View& view, const TakenSets& sets, MessageId message, const Values& values,
                     const Effect& effect) {
  Step step;
  step.actor = view.actor;
  step.from = view.point;
  step.taken = message;
  if (!effect.trouble.empty()) {
    step.to = reach(view.actor, {Place::Kind::failed, {}, {}, 0, effect.trouble}, view.base, {});
    return add_step(std::move(step));
  }
  Needs needs = messages_[message].needs;
  for (std::size_t other = 0; other < needs.size(); ++other)
    needs[other] = std::max(needs[other], view.states.needs[other]);
  needs[view.actor] = bases_[view.base].count + view.states.count + 1;
  std::map<Word, Value> sent;
  for (const Emission& emission : effect.sends) {
    const Word counter = sent_to(emission.destination);
    const auto number = static_cast<std::uint32_t>(values.at(counter) + sent[counter]++);
    step.sends.push_back(message_of(view.actor, emission, rules_.counts_sends ? number : 0, needs));
  }
  Effect whole = effect;
  for (const auto& [counter, count] : sent) whole.sums[counter] = static_cast<std::int64_t>(count);
  WordStates after = states_after(view, sets, message, values, whole);
  after.needs = std::move(needs);
  step.to = reach(view.actor, effect.next, view.base, std::move(after));
  add_step(std::move(step));
}

std::optional<Value> WordNet::only_value(const TakenSets& sets, const WordFunction& word) const {
  const auto values = sets.values(word, rules_.needs_old_value ? 1 : limits_.values);
  if (!values || values->empty()) return {};
  return *values->begin();
}

// The states of this view in which the words have these values, after the step.
WordStates WordNet::states_after(const View& view, const TakenSets& sets, MessageId message, const Values& values,
                                 const Effect& effect) const {
  WordStates after = view.states;
  ++after.count;
  after.may_be_taken.insert(message);
  for (auto& [word, function] : after.words) {
    const auto chosen = values.find(word);
    std::optional<Value> before;  // in all these states
    if (chosen != values.end()) before = chosen->second;
    const auto written = effect.writes.find(word);
    const auto added = effect.sums.find(word);
    if (written != effect.writes.end()) {
      if (!before) before = only_value(sets, function);
      if (function.is_sum && before) function.set_amount(message, written->second - *before);
      else function = {false, 0, {}, {}};
      function.constant = written->second;
      continue;
    }
    const Value amount = added == effect.sums.end() ? 0 : static_cast<Value>(added->second);
    if (function.is_sum) function.set_amount(message, amount);
    function.constant = before;
    if (before) *function.constant += amount;
  }
  for (const auto& [word, value] : effect.writes)
    if (!after.words.contains(word)) after.words[word] = {false, 0, {}, value};
  return after;
}

// At ends, memory is gone: each actor has one point for each way to end.
PointId WordNet::reach(std::uint32_t actor, const Place& place, std::uint32_t base, WordStates states) {
  if (place.kind != Place::Kind::receives) {
    base = 0;
    states = {};
  }
  const auto [known, is_new] =
      point_by_key_.emplace(std::tuple(actor, place, base, states.count), static_cast<PointId>(points_.size()));
  const PointId id = known->second;
  if (!is_new) {
    if (points_[id].states.join(states, rules_.join)) put(id);
    return id;
  }
  points_.push_back({actor, place, base, std::move(states)});
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

void WordNet::put_all(std::uint32_t actor) {
  for (const PointId point : by_actor_[actor]) put(point);
}

MessageId WordNet::message_of(std::uint32_t source, const Emission& emission, std::uint32_t number,
                              const Needs& needs) {
  const std::uint32_t destination = emission.destination;
  auto& channel = channels_[{source, destination}];
  if (channel.size() <= number) channel.resize(number + 1);
  for (const MessageId known : channel[number])
    if (messages_[known].content == emission.content) {
      if (rules_.join.compares_needs && join(messages_[known].needs, needs)) put_all(destination);
      return known;
    }
  const auto id = static_cast<MessageId>(messages_.size());
  messages_.push_back({source, destination, number, emission.content, needs});
  channel[number].push_back(id);
  put_all(destination);
  for (const PointId point : by_actor_[destination])
    check_order(destination, points_[point].place, source, emission.content.tag);
  return id;
}

// A receive that accepts the source but not the tag can pass over the message.
void WordNet::check_order(std::uint32_t actor, const Place& place, std::uint32_t source, std::int64_t tag) {
  if (!rules_.passes_over || place.kind != Place::Kind::receives) return;
  if ((place.source && *place.source != source) || !place.tag || *place.tag == tag) return;
  if (not_in_order_.insert({source, actor}).second) throw Again{};
}

void WordNet::add_step(Step step) {
  if (!known_steps_.emplace(step.from == none ? none - step.actor : step.from, step.taken, step.to, step.sends).second)
    return;
  if (steps_.size() >= limits_.steps) throw NoProof{"too many steps"};
  steps_.push_back(std::move(step));
}

}  // namespace rehearse::mc::footprints
