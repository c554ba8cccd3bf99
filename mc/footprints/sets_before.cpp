// SPDX-License-Identifier: MIT
//
// See sets_before.hpp.
#include "mc/footprints/sets_before.hpp"

#include <algorithm>

namespace rehearse::mc::footprints {

// The only set of messages of a base.
PossibleSets SetsBefore::all_taken(const WordStates& states) const {
  std::map<std::pair<Line, std::uint32_t>, std::vector<MessageId>> by_number;
  for (const MessageId id : states.may_be_taken)
    by_number[{{messages_[id].source, messages_[id].context}, messages_[id].number}].push_back(id);
  std::vector<TakenRun> runs;
  for (auto& [number, contents] : by_number) runs.push_back({{std::move(contents)}, 1, 1});
  PossibleSets sets;
  sets.add({states.count, std::move(runs)});
  return sets;
}

// `arriving`: none before a step without a message.
PossibleSets SetsBefore::before(const Taker& taker, MessageId arriving) const {
  std::map<Line, ByNumber> by_line;
  for (const MessageId id : taker.states.may_be_taken) {
    const Message& message = messages_[id];
    auto& numbers = by_line[{message.source, message.context}];
    if (numbers.size() <= message.number) numbers.resize(message.number + std::size_t{1});
    numbers[message.number].push_back(id);
  }
  if (arriving != none) by_line[{messages_[arriving].source, messages_[arriving].context}];
  std::vector<TakenRun> runs;
  for (const auto& [line, numbers] : by_line) {
    if (not_in_order_.contains({line, taker.actor})) add_single_runs(taker, line, numbers, arriving, runs);
    else runs.push_back(run_in_order(taker, line, numbers, arriving));
  }
  PossibleSets sets;
  if (!counts_taken_) {
    std::uint32_t all = 0;
    for (TakenRun& run : runs) all += run.least = run.most;
    sets.add({all, std::move(runs)});
    return sets;
  }
  sets.add({taker.states.count, std::move(runs)});
  if (std::optional<TakenSets> others = by_origin(taker, arriving)) sets.add(std::move(*others));
  return sets;
}

// At most one message of each origin, and of each number in a channel. A message counts for one of its origins,
// which is one with messages of as many numbers as possible. Empty: that would say nothing new.
std::optional<TakenSets> SetsBefore::by_origin(const Taker& taker, MessageId arriving) const {
  using Slot = std::pair<Line, std::uint32_t>;
  const auto slot_of = [&](MessageId id) {
    return Slot{{messages_[id].source, messages_[id].context}, messages_[id].number};
  };
  std::vector<MessageId> messages;
  std::map<Origins::Id, std::set<Slot>> slots;
  bool is_useful = false;
  for (const MessageId id : taker.states.may_be_taken) {
    if (arriving != none && slot_of(id) == slot_of(arriving)) continue;
    if (arriving != none && messages_.origins().exclude(id, arriving)) {
      is_useful = true;
      continue;
    }
    messages.push_back(id);
    for (const Origins::Id origin : messages_.origins().of(id)) slots[origin].insert(slot_of(id));
  }
  std::map<std::pair<std::optional<Origins::Id>, Slot>, std::vector<MessageId>> classes;
  for (const MessageId id : messages) {
    std::optional<Origins::Id> best;
    for (const Origins::Id origin : messages_.origins().of(id))
      if (slots[origin].size() > 1 && (!best || slots[origin].size() > slots[*best].size())) best = origin;
    is_useful = is_useful || best;
    classes[{best, best ? Slot() : slot_of(id)}].push_back(id);
  }
  if (!is_useful) return {};
  std::vector<TakenRun> runs;
  for (auto& [key, contents] : classes) runs.push_back({{std::move(contents)}, 0, 1});
  return TakenSets(taker.states.count, std::move(runs));
}

TakenRun SetsBefore::run_in_order(const Taker& taker, const Line& line, const ByNumber& numbers,
                                  MessageId arriving) const {
  const auto taken = taker.taken_before.find(line);
  const auto first = static_cast<std::uint32_t>(taken == taker.taken_before.end() ? 0 : taken->second.size());
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

bool SetsBefore::is_of(MessageId message, const Line& line) const {
  return message != none && messages_[message].source == line.source && messages_[message].context == line.context;
}

// Each number by itself. The receive passes over an earlier number only if it does not accept one of its contents.
void SetsBefore::add_single_runs(const Taker& taker, const Line& line, const ByNumber& numbers, MessageId arriving,
                                 std::vector<TakenRun>& into) const {
  const bool is_here = is_of(arriving, line);
  const std::uint32_t arrived = is_here ? messages_[arriving].number : 0;
  const auto base = taker.taken_before.find(line);
  const auto was_taken = [&](std::uint32_t number) {
    return base != taker.taken_before.end() && base->second.contains(number);
  };
  const auto is_required = [&](std::uint32_t number) {
    if (!is_here || number >= arrived || was_taken(number)) return false;
    return std::ranges::all_of(messages_.channels().at({line, taker.actor}).numbers[number], [&](MessageId earlier) {
      return taker.place.accepts(line.source, line.context, messages_[earlier].content.tag);
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

}  // namespace rehearse::mc::footprints
