// SPDX-License-Identifier: MIT
//
// What an actor has taken from one other actor, and how many messages it has sent to it: values of a counter. Equal
// values have the same number.
//
// They express the rule of order: a receive takes the first message of a channel that it accepts.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "mc/flow/messages.hpp"

namespace rehearse::mc::flow {

using CounterValue = std::uint32_t;
constexpr CounterValue nothing_yet = 0;

class Counters {
 public:
  Counters() { find(Value()); }

  bool has_taken(CounterValue value, ChannelId channel, std::uint32_t number) const;
  CounterValue after_taking(CounterValue value, ChannelId channel, std::uint32_t number);

  // The number of messages sent in this channel.
  std::uint32_t sent(CounterValue value, ChannelId channel) const;
  CounterValue after_sending(CounterValue value, ChannelId channel);

 private:
  struct Of {
    std::uint32_t sent = 0;
    std::uint32_t first_taken = 0;          // all numbers below this one are taken
    std::vector<std::uint32_t> also_taken;  // ascending
    auto operator<=>(const Of&) const = default;
  };
  using Value = std::vector<std::pair<ChannelId, Of>>;  // ascending; channels that were used

  CounterValue find(Value value);
  static Of& of(Value& value, ChannelId channel);
  const Of* of(CounterValue value, ChannelId channel) const;

  std::map<Value, CounterValue> numbers_;
  std::vector<const Value*> values_;  // keys of the map
};

}  // namespace rehearse::mc::flow
