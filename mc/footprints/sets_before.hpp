// SPDX-License-Identifier: MIT
//
// The sets of messages that an actor can have taken since a base (taken_sets.hpp), at a point of the net over words,
// before it takes another one.
//
// Threads: none.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "mc/footprints/net_messages.hpp"
#include "mc/footprints/taken_sets.hpp"

namespace rehearse::mc::footprints {

using Numbers = std::map<Line, std::set<std::uint32_t>>;

// An actor at a place.
struct Taker {
  std::uint32_t actor = 0;
  const Place& place;
  const Numbers& taken_before;  // the base
  const WordStates& states;
};

class SetsBefore {
 public:
  // `not_in_order`: channels of which a receive can pass over messages. `counts_taken`: a rule that tests leave out; if
  // false, all messages that may have been taken have been.
  SetsBefore(const NetMessages& messages, const std::set<Channel>& not_in_order, bool counts_taken)
      : messages_(messages), not_in_order_(not_in_order), counts_taken_(counts_taken) {}

  // `arriving`: none before a step without a message.
  PossibleSets before(const Taker& taker, MessageId arriving) const;
  // For states that have all taken the same messages.
  PossibleSets all_taken(const WordStates& states) const;

 private:
  std::optional<TakenSets> by_origin(const Taker& taker, MessageId arriving) const;
  bool is_of(MessageId message, const Line& line) const;
  TakenRun run_in_order(const Taker& taker, const Line& line, const ByNumber& numbers, MessageId arriving) const;
  void add_single_runs(const Taker& taker, const Line& line, const ByNumber& numbers, MessageId arriving,
                       std::vector<TakenRun>& into) const;

  const NetMessages& messages_;
  const std::set<Channel>& not_in_order_;
  bool counts_taken_;
};

}  // namespace rehearse::mc::footprints
