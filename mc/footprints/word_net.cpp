// SPDX-License-Identifier: MIT
//
// Grows the net over words to its fixpoint. Sets of states only grow, so it does not matter in which order points are
// looked at.
#include "mc/footprints/word_net.hpp"

#include <algorithm>
#include <utility>

namespace rehearse::mc::footprints {

void WordNet::clear() {
  points_.clear();
  steps_.clear();
  messages_.clear();
  point_by_key_.clear();
  known_steps_.clear();
  by_actor_.assign(machine_.actor_count(), {});
  queue_.clear();
  late_queue_.clear();
  is_queued_.clear();
  is_open_to_all_.assign(machine_.actor_count(), false);
  tried_.clear();
}

void WordNet::grow(const GoesOn& goes_on) {
  goes_on_ = &goes_on;
  bases_.resize(machine_.actor_count());
  for (;;) {
    clear();
    try {
      for (std::uint32_t actor = 0; actor < machine_.actor_count(); ++actor) start(actor);
      if (grow_once()) return;
    } catch (const Again&) {  // what is known of channels and bases has changed
    }
  }
}

// False: words of some actors have changed. Their points are left as they are; the other actors go on, so that all of
// them find their words at the same time.
bool WordNet::grow_once() {
  std::set<std::uint32_t> changed;
  while (const std::optional<PointId> point = next_point()) {
    if (changed.contains(points_[*point].actor)) continue;
    if (rules_.looks_again) is_queued_[*point] = false;
    try {
      look_at(*point);
    } catch (const CellsChanged&) {
      changed.insert(points_[*point].actor);
    }
  }
  return changed.empty();
}

// Points with few messages come first, so that their states are complete before those of the points that follow. Points
// that seem to be bases come last, if the actor receives from anybody: with more states, they may not be.
std::optional<PointId> WordNet::next_point() {
  while (!queue_.empty()) {
    const Turn turn = *queue_.begin();
    queue_.erase(queue_.begin());
    const PointId point = std::get<2>(turn);
    if (!is_open_to_all_[points_[point].actor] || !has_taken_all(points_[point])) return point;
    late_queue_.insert(turn);
  }
  if (late_queue_.empty()) return {};
  const PointId point = std::get<2>(*late_queue_.begin());
  late_queue_.erase(late_queue_.begin());
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
  for (std::size_t i = 0; i < effect.sends.size(); ++i) {
    const Emission& emission = effect.sends[i];
    const auto number = static_cast<std::uint32_t>(sent[counter_of(actor, emission)]++);
    last = message_of(actor, emission, rules_.counts_sends ? number : 0, states.needs,
                      messages_.origins().of_emission(none - actor, nullptr, i));
    step.sends.push_back(last);
  }
  for (const auto& values : {effect.writes, sent})
    for (const auto& [word, value] : values) states.words.put(word, always(value));
  if (!effect.trouble.empty())
    step.to = reach(actor, {Place::Kind::failed, {}, {}, 0, effect.trouble}, actor, {}, none);
  else step.to = reach(actor, effect.next, actor, std::move(states), last);
  add_step(std::move(step));
}

void WordNet::put(PointId point) {
  const Place::Kind kind = points_[point].place.kind;
  if (is_queued_[point] || (kind != Place::Kind::receives && kind != Place::Kind::sends)) return;
  is_queued_[point] = true;
  queue_.emplace(total_at(points_[point]), is_open_to_all_[points_[point].actor], point);
}

// What was tried before in the same way is left out.
void WordNet::look_at(PointId point) {
  const View view = view_of(point);
  const auto is_new = [&](MessageId message, std::uint64_t channel) {
    const Tried now{points_[point].version, channel, messages_.lost_origins()};
    const auto [known, is_first] = tried_[point].emplace(message, now);
    return is_first || std::exchange(known->second, now) != now;
  };
  if (view.place.kind == Place::Kind::sends) {
    if (is_new(none, 0)) try_all(view, sets_before(view, none), none);
    return;
  }
  std::vector<MessageId> all;  // more may come meanwhile
  for (const auto& [channel, state] : messages_.channels())
    if (channel.second == view.actor && view.place.listens(channel.first.source, channel.first.context))
      for (const std::vector<MessageId>& contents : state.numbers)
        for (const MessageId message : contents)
          if ((!view.place.tag || *view.place.tag == messages_[message].content.tag) && is_new(message, state.version))
            all.push_back(message);
  for (const MessageId message : all) try_message(view, message);
}

WordNet::View WordNet::view_of(PointId id) {
  const Point& point = points_[id];
  View view{point.actor, id, point.place, point.base, point.states, {}};
  if (is_base(id)) begin_base(view);
  for (const auto& [word, function] : view.states.words.entries()) {
    if (function->constant) view.known.values.emplace_hint(view.known.values.end(), word, *function->constant);
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
    slots.emplace(messages_[message].line(), messages_[message].number);
  return slots.size() == point.states.count;
}

// The messages that all states of a base have taken.
Numbers WordNet::taken_at(const Point& point) const {
  Numbers taken = bases_[point.base].taken;
  for (const MessageId message : point.states.may_be_taken)
    taken[messages_[message].line()].insert(messages_[message].number);
  return taken;
}

void WordNet::begin_base(View& view) {
  const auto [known, is_new] =
      base_after_.emplace(PointKey(view.actor, view.place, view.base, view.states.count, points_[view.point].own),
                          static_cast<std::uint32_t>(bases_.size()));
  if (is_new) bases_.push_back({taken_at(points_[view.point]), bases_[view.base].count + view.states.count});
  view.base = known->second;
  const PossibleSets all = sets_.all_taken(view.states);
  WordFunctions words;
  for (const auto& [word, function] : view.states.words.entries()) {
    const std::optional<Value> value = only_value(all, word, *function);
    words.put(word, value ? always(*value) : nothing_known());
  }
  view.states.words = std::move(words);
  view.states.count = 0;
  view.states.may_be_taken.clear();
}

namespace {

Known with(const Known& known, const Values& chosen) {
  Known more = known;
  for (const auto& [word, value] : chosen) {
    more.values[word] = value;
    more.open.erase(word);
  }
  return more;
}

}  // namespace

PossibleSets WordNet::sets_before(const View& view, MessageId arriving) const {
  return sets_.before({view.actor, view.place, bases_[view.base].taken, view.states}, arriving);
}

// The step with the message, for all combinations of the values that it reads.
void WordNet::try_message(const View& view, MessageId message) {
  if (messages_[message].needs[view.actor] > bases_[view.base].count + view.states.count) return;
  const PossibleSets sets = sets_before(view, message);
  if (sets.is_possible()) try_all(view, sets, message);
}

Effect WordNet::run(const View& view, MessageId message, const Known& known) {
  ++runs_;
  if (message == none) return machine_.go_on(view.actor, view.place, known);
  const Message& taken = messages_[message];
  return machine_.step(view.actor, view.place, {taken.source, taken.content, taken.context}, known);
}

void WordNet::try_all(const View& view, const PossibleSets& sets, MessageId message) {
  std::vector<Values> branches(1);
  while (!branches.empty()) {
    if (++tries_ > limits_.tries) throw NoProof{"too many combinations of values"};
    if (*goes_on_ && !(*goes_on_)()) throw NoProof{"it took too long"};
    Values chosen = std::move(branches.back());
    branches.pop_back();
    const Effect effect = chosen.empty() ? run(view, message, view.known)
                                         : run(view, message, with(view.known, chosen));
    const Opened opened = open(view, sets, effect, chosen);
    if (opened.choice) {
      for (const Value value : opened.choice->second) {
        chosen[opened.choice->first] = value;
        branches.push_back(chosen);
      }
    } else if (!opened.is_as_found) {
      branches.push_back(std::move(chosen));  // with these values
    } else if (!effect.gap.empty()) {
      throw NoProof{effect.gap};
    } else if (opened.unknown) {
      throw NoProof{machine_.words_of(view.actor, *opened.unknown)};
    } else {
      finish(view, sets, message, chosen, effect);
    }
  }
}

// Adds the values of words that have one value. What the step does with unknown values may not be what it does with the
// others, so unknown words count only if nothing else is left.
WordNet::Opened WordNet::open(const View& view, const PossibleSets& sets, const Effect& effect, Values& chosen) {
  Opened opened;
  const Values open = open_words(view, effect, chosen);
  const bool has_groups = sends_groups(view, sets, effect, open);
  for (const auto& [word, found] : open) {
    const auto values = sets.values(word, *view.states.words.find(word), limits_.values);
    if (!values) {
      if (!opened.unknown) opened.unknown = word;
    } else if (values->empty() || (values->size() > 1 && rules_.tries_all_values)) {
      const bool is_group = has_groups && word >= first_own_word && !values->empty();
      if (!is_group && (!opened.choice || values->empty())) opened.choice.emplace(word, *values);
    } else {
      opened.is_as_found = opened.is_as_found && (word >= first_own_word || found == *values->begin());
      chosen[word] = *values->begin();
    }
  }
  return opened;
}

Word WordNet::counter_of(std::uint32_t actor, const Emission& emission) {
  return sent_in({{actor, emission.context}, emission.destination});
}

// Not if the actor waits in a send: where it waits, the number of its message is known.
bool WordNet::sends_groups(const View& view, const PossibleSets& sets, const Effect& effect, const Values& open) const {
  if (effect.next.kind == Place::Kind::sends) return false;
  std::size_t together = 1;
  for (const auto& [word, found] : open) {
    if (word < first_own_word) continue;
    const auto values = sets.values(word, *view.states.words.find(word), limits_.values);
    if (values && !values->empty()) together *= values->size();
    if (together > limits_.numbers) return true;
  }
  return false;
}

// The numbers that the next message can have.
std::vector<std::uint32_t> WordNet::numbers_of(const View& view, const PossibleSets& sets, Word counter,
                                               const Values& chosen) const {
  std::set<Value> values{0};
  if (const auto given = chosen.find(counter); given != chosen.end()) values = {given->second};
  else if (const auto known = view.known.values.find(counter); known != view.known.values.end())
    values = {known->second};
  else if (const WordFunction* function = view.states.words.find(counter))
    values = sets.values(counter, *function, limits_.values).value();
  if (!rules_.counts_sends) values = {0};
  std::vector<std::uint32_t> numbers;
  for (const Value value : values) numbers.push_back(static_cast<std::uint32_t>(value));
  if (!rules_.all_numbers) numbers.resize(1);
  return numbers;
}

Values WordNet::open_words(const View& view, const Effect& effect, const Values& chosen) {
  const auto is_open = [&](Word word) {
    return !chosen.contains(word) && !view.known.values.contains(word) && view.states.words.find(word) != nullptr;
  };
  Values open;
  for (const auto& [word, value] : effect.reads)
    if (is_open(word)) open.emplace(word, value);
  if (!effect.trouble.empty() || !effect.gap.empty()) return open;
  for (const Emission& sent : effect.sends)
    if (const Word counter = counter_of(view.actor, sent); is_open(counter)) open.emplace(counter, 0);
  return open;
}

void WordNet::finish(const View& view, const PossibleSets& sets, MessageId message, const Values& chosen,
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
  std::map<Word, std::uint32_t> sent;
  MessageId last = none;
  for (std::size_t i = 0; i < effect.sends.size(); ++i) {
    const Emission& emission = effect.sends[i];
    const Word counter = counter_of(view.actor, emission);
    std::vector<std::uint32_t> numbers = numbers_of(view, sets, counter, chosen);
    if (rules_.counts_sends)
      for (std::uint32_t& number : numbers) number += sent[counter];
    ++sent[counter];
    last = group_with(view.actor, emission, numbers, needs,
                      messages_.origins().of_emission(view.point, message == none ? nullptr : &message, i));
    step.sends.push_back(last);
  }
  Effect whole = effect;
  for (const auto& [counter, count] : sent) whole.sums[counter] = count;
  const StatesBefore from{view.states, chosen, [&](Word word) { return initial(view.actor, word); },
                          [&](Word word, const WordFunction& f) { return only_value(sets, word, f); }};
  WordStates after = states_after(from, message, whole, rules_.moves_statements);
  after.needs = std::move(needs);
  step.to = reach(view.actor, effect.next, view.base, std::move(after), last);
  add_step(std::move(step));
}

// One message for each number. The group of it is the union of all groups that have some of them.
MessageId WordNet::group_with(std::uint32_t source, const Emission& emission, const std::vector<std::uint32_t>& numbers,
                              const Needs& needs, const std::vector<Origins::Id>& origins) {
  MessageId first = none;
  for (const std::uint32_t number : numbers) {
    const MessageId message = message_of(source, emission, number, needs, origins);
    if (first == none) first = message;
    else messages_.unite(first, message);
  }
  return first;
}

std::optional<Value> WordNet::only_value(const PossibleSets& sets, Word word, const WordFunction& function) const {
  const auto values = sets.values(word, function, rules_.needs_old_value ? 1 : limits_.values);
  if (!values || values->empty()) return {};
  return *values->begin();
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
    if (points_[id].states.join(states, initial_of, rules_.join)) {
      ++points_[id].version;
      put(id);
    }
    return id;
  }
  points_.push_back({actor, place, base, std::move(states), own});
  by_actor_[actor].push_back(id);
  is_queued_.push_back(false);
  tried_.emplace_back();
  if (place.kind == Place::Kind::receives && !place.source) is_open_to_all_[actor] = true;
  put(id);
  for (const auto& [channel, state] : messages_.channels())
    if (channel.second == actor)
      for (const std::vector<MessageId>& contents : state.numbers)
        for (const MessageId message : contents)
          check_order(actor, place, channel.first, messages_[message].content.tag);
  return id;
}

MessageId WordNet::message_of(std::uint32_t source, const Emission& emission, std::uint32_t number, const Needs& needs,
                              const std::vector<Origins::Id>& origins) {
  const std::uint32_t destination = emission.destination;
  const NetMessages::Added added =
      messages_.add({source, destination, number, emission.context, emission.content, needs}, origins);
  const Message& message = messages_[added.message];
  for (const PointId point : by_actor_[destination]) {
    const bool can_take = points_[point].place.listens(source, emission.context) &&
                          message.needs[destination] <= total_at(points_[point]);
    if (added.loses_origins || ((added.is_new || added.needs_less) && can_take)) put(point);
  }
  if (added.is_new)
    for (const PointId point : by_actor_[destination])
      check_order(destination, points_[point].place, message.line(), emission.content.tag);
  return added.message;
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
