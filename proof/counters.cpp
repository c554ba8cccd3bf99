// SPDX-License-Identifier: MIT
//
// From the start of a rank along its steps.
#include "proof/counters.hpp"

namespace rehearse::proof {

bool Counter::has_taken(std::uint32_t channel, std::uint32_t number) const {
  const auto found = taken.find(channel);
  return found != taken.end() && found->second.contains(number);
}

std::uint32_t Counter::sent_in(std::uint32_t channel) const {
  const auto found = sent.find(channel);
  return found == sent.end() ? 0 : found->second;
}

// False: the message has another number than the next one.
bool Counters::count_sends(const std::vector<std::uint32_t>& sends, std::uint32_t other, Counter& counter) const {
  for (const std::uint32_t id : sends) {
    const Message& message = net_.messages[id];
    if (net_.channels[message.channel].destination != other) continue;
    if (counter.sent_in(message.channel) != message.number) return false;
    counter.sent[message.channel] = message.number + 1;
  }
  return true;
}

// False: the step is not possible with this value.
bool Counters::apply(const Step& step, std::uint32_t other, Counter& counter) const {
  if (step.taken != none) {
    const Message& message = net_.messages[step.taken];
    if (net_.channels[message.channel].source == other) {
      if (counter.has_taken(message.channel, message.number)) return false;
      for (const std::uint32_t number : step.after)
        if (!counter.has_taken(message.channel, number)) return false;
      counter.taken[message.channel].insert(message.number);
    }
  }
  return count_sends(step.sends, other, counter);
}

Counters::Values Counters::values(std::uint32_t rank, std::uint32_t other) const {
  std::vector<std::vector<const Step*>> from(net_.points.size());
  for (const Step& step : net_.steps)
    if (net_.points[step.from].rank == rank) from[step.from].push_back(&step);
  Values values(net_.points.size());
  Counter at_start;
  const Start& start = net_.starts[rank];
  if (count_sends(start.sends, other, at_start)) values[start.to].insert(at_start);
  for (const std::uint32_t point : order_)
    for (const Step* step : from[point])
      for (Counter counter : values[point])
        if (apply(*step, other, counter)) values[step->to].insert(std::move(counter));
  return values;
}

const std::set<Counter>& Counters::at(std::uint32_t point, std::uint32_t other) {
  const std::uint32_t rank = net_.points[point].rank;
  auto found = known_.find({rank, other});
  if (found == known_.end()) found = known_.emplace(std::pair(rank, other), values(rank, other)).first;
  return found->second[point];
}

}  // namespace rehearse::proof
