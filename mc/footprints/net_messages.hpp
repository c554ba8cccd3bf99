// SPDX-License-Identifier: MIT
//
// The messages of the net over words, by channel and number. Steps send one message of a group, which has one for each
// number that the message can have.
//
// Threads: none.
// Source:  docs/design/exploration.md, "Footprints: nets that look into steps".
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "mc/footprints/machine.hpp"
#include "mc/footprints/origins.hpp"
#include "mc/footprints/word_states.hpp"

namespace rehearse::mc::footprints {

inline constexpr std::uint32_t none = ~std::uint32_t{0};

// Where a message comes from, for its receiver: messages of one line keep their order.
struct Line {
  std::uint32_t source = 0;
  std::uint64_t context = 0;
  auto operator<=>(const Line&) const = default;
};

struct Message {
  std::uint32_t source = 0, destination = 0, number = 0;
  std::uint64_t context = 0;
  Content content;
  Needs needs;  // before it is sent
  Line line() const { return {source, context}; }
};

using Channel = std::pair<Line, std::uint32_t>;        // and destination
using ByNumber = std::vector<std::vector<MessageId>>;  // the messages with each number

// Rules that can be left out, to show in tests that each is necessary.
struct MessageRules {
  bool joins_needs = true;  // false: what the first sender needs is needed by all
  bool all_senders = true;  // false: a message is in the origins that its first sender says
};

class NetMessages {
 public:
  explicit NetMessages(MessageRules rules) : rules_(rules) {}

  void clear();

  struct Added {
    MessageId message = none;
    bool is_new = false, needs_less = false, loses_origins = false;  // what has changed
  };
  // The message, which may be known with other needs and origins.
  Added add(const Message& message, const std::vector<Origins::Id>& origins);

  // The group of each has all messages of both groups from now on.
  void unite(MessageId one, MessageId other);
  // The same number for all of a group: that of one of them.
  MessageId group_of(MessageId message) const;

  const std::vector<Message>& all() const { return messages_; }
  const Message& operator[](MessageId message) const { return messages_[message]; }

  struct State {
    ByNumber numbers;
    std::uint64_t version = 0;  // changes with the messages and their needs
  };
  const std::map<Channel, State>& channels() const { return channels_; }

  Origins& origins() { return origins_; }
  const Origins& origins() const { return origins_; }
  std::uint64_t lost_origins() const { return lost_origins_; }  // how often a message turned out not to be in one

 private:
  MessageRules rules_;
  std::vector<Message> messages_;
  std::map<Channel, State> channels_;
  std::vector<MessageId> groups_;  // by message: another one of its group, or itself
  Origins origins_;
  std::uint64_t lost_origins_ = 0;
};

}  // namespace rehearse::mc::footprints
