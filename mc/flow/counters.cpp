// SPDX-License-Identifier: MIT
//
// Values of counters.
#include "mc/flow/counters.hpp"

#include <algorithm>

namespace rehearse::mc::flow {

CounterValue Counters::find(Value value) {
  const auto [found, is_new] = numbers_.emplace(std::move(value), static_cast<CounterValue>(values_.size()));
  if (is_new) values_.push_back(&found->first);
  return found->second;
}

Counters::Of& Counters::of(Value& value, ChannelId channel) {
  const auto at = std::ranges::lower_bound(value, channel, {}, &std::pair<ChannelId, Of>::first);
  if (at != value.end() && at->first == channel) return at->second;
  return value.insert(at, {channel, Of()})->second;
}

const Counters::Of* Counters::of(CounterValue value, ChannelId channel) const {
  for (const auto& [used, of] : *values_[value])
    if (used == channel) return &of;
  return nullptr;
}

bool Counters::has_taken(CounterValue value, ChannelId channel, std::uint32_t number) const {
  const Of* found = of(value, channel);
  return found != nullptr && (number < found->first_taken || std::ranges::binary_search(found->also_taken, number));
}

CounterValue Counters::after_taking(CounterValue value, ChannelId channel, std::uint32_t number) {
  Value next = *values_[value];
  Of& changed = of(next, channel);
  changed.also_taken.insert(std::ranges::lower_bound(changed.also_taken, number), number);
  while (!changed.also_taken.empty() && changed.also_taken.front() == changed.first_taken) {
    changed.also_taken.erase(changed.also_taken.begin());
    ++changed.first_taken;
  }
  return find(std::move(next));
}

std::uint32_t Counters::sent(CounterValue value, ChannelId channel) const {
  const Of* found = of(value, channel);
  return found == nullptr ? 0 : found->sent;
}

CounterValue Counters::after_sending(CounterValue value, ChannelId channel) {
  Value next = *values_[value];
  ++of(next, channel).sent;
  return find(std::move(next));
}

}  // namespace rehearse::mc::flow
