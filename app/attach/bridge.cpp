// SPDX-License-Identifier: MIT
//
// See bridge.hpp.
#include "app/attach/bridge.hpp"

#include "app/attach/addresses.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::app {
namespace {

// Connections of a pair of hosts share this many choices of a route, so that the number of paths has a limit.
constexpr std::uint64_t choices_of_pair = 64;

CostModel& with_relay(CostModel& costs) {
  REHEARSE_ASSERT(costs.relay() != nullptr, "frames go through a network of packets");
  return costs;
}

}  // namespace

Bridge::Bridge(CostModel& costs, std::span<const HostId> hosts)
    : costs_(with_relay(costs)), relay_(*costs.relay()), hosts_(hosts.begin(), hosts.end()) {}

std::optional<std::uint32_t> Bridge::path(std::uint32_t from, std::uint32_t to, std::uint64_t flow, TimePoint now) {
  const std::uint64_t choice = flow % choices_of_pair;
  const auto [found, is_new] = paths_.try_emplace({from, to, choice}, std::nullopt);
  if (is_new) found->second = relay_.open(hosts_[from], hosts_[to], choice + 1, now);
  return found->second;
}

std::uint32_t Bridge::keep(std::span<const std::uint8_t> bytes, std::uint32_t destination) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(waiting_.size()));
    waiting_.emplace_back();
  }
  const std::uint32_t number = free_.back();
  free_.pop_back();
  waiting_[number].bytes.assign(bytes.begin(), bytes.end());
  waiting_[number].destination = destination;
  return number;
}

void Bridge::enter(std::uint32_t host, std::span<const std::uint8_t> frame, TimePoint now) {
  const auto facts = read_frame(frame);
  const auto destination = facts ? host_with(facts->destination, static_cast<std::uint32_t>(hosts_.size()))
                                 : std::nullopt;
  if (!destination || *destination == host) {
    ++counts_.ignored;
    return;
  }
  ++counts_.entered;
  const auto used = path(host, *destination, facts->flow, now);
  if (!used) {
    ++counts_.unreachable;
    return;
  }
  const auto bytes = static_cast<std::uint32_t>(frame.size() - ethernet_header_bytes);
  relay_.send(*used, keep(frame, *destination), bytes, now);
}

void Bridge::advance(TimePoint now, const Deliver& deliver) {
  for (TimePoint next = costs_.next_date(); next <= now; next = costs_.next_date()) {
    ended_.clear();
    costs_.advance(next, ended_);
  }
  ended_.clear();
  costs_.advance(now, ended_);
  for (const RelayedPacket& packet : relay_.take()) {
    const auto number = static_cast<std::uint32_t>(packet.number);
    Frame& frame = waiting_[number];
    free_.push_back(number);
    if (packet.is_lost) {
      ++counts_.dropped;
      continue;
    }
    if (packet.is_marked && mark_congestion(frame.bytes)) ++counts_.marked;
    set_destination(frame.bytes, mac_address_of(frame.destination));
    ++counts_.delivered;
    deliver(frame.destination, frame.bytes, packet.date);
  }
}

}  // namespace rehearse::app
