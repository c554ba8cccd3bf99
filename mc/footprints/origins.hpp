// SPDX-License-Identifier: MIT
//
// Which messages of the net exclude each other, because no execution has both.
//
// An actor leaves each point at most once, by one step. So of all messages that are sent as the i-th one by a step from
// the same point, an execution has at most one. Likewise of those that are sent as the i-th one by the step that takes
// some message, if of these an execution has at most one. Such a set of messages is an *origin*; a message is in an
// origin if every step of the net that sends it says so. Answers to the pieces of a bag of tasks have an origin for
// each piece, whoever gets it.
//
// Threads: none.
// Source:  docs/design/exploration.md, "Footprints: nets that look into steps".
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "mc/footprints/word_states.hpp"

namespace rehearse::mc::footprints {

class Origins {
 public:
  using Id = std::uint32_t;

  void clear() { *this = {}; }

  // Of the message that a step sends as number `index`. `taken`: the message that it takes; null: none.
  std::vector<Id> of_emission(std::uint32_t point, const MessageId* taken, std::size_t index);

  // The message is in no other origins than these. True: it was in another one before.
  bool restrict(MessageId message, const std::vector<Id>& to);

  const std::vector<Id>& of(MessageId message) const { return by_message_[message].origins; }
  bool exclude(MessageId one, MessageId other) const;

 private:
  using Key = std::tuple<bool, std::uint32_t, std::size_t>;  // from a message; the point or the origin; index
  struct Entry {
    bool is_new = true;
    std::vector<Id> origins;  // in order
  };
  Id find_or_add(const Key& key, std::uint32_t depth);

  std::map<Key, Id> known_;
  std::vector<std::uint32_t> depths_;
  std::vector<Entry> by_message_;
};

}  // namespace rehearse::mc::footprints
