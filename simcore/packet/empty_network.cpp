// SPDX-License-Identifier: MIT
//
// Equal packets on a path: packet n starts on each link n times the longest transmission so far after the first one.
#include "simcore/packet/empty_network.hpp"

#include <algorithm>

namespace rehearse::packet {
namespace {

// From the start of a packet on a link to its earliest start on the next one.
Picoseconds step_time(const Parameters& parameters, const LinkState& link, const LinkState& next, std::uint32_t bytes) {
  const Picoseconds tail = link.duration(bytes) + link.delay + parameters.switch_delay;
  if (!parameters.is_cut_through) return tail;
  const std::uint32_t head = std::min(bytes, parameters.cut_bytes);
  // A cut-through switch never runs dry.
  return std::max(link.duration(head) + link.delay + parameters.switch_delay, tail - next.duration(bytes));
}

}  // namespace

Picoseconds empty_network_time(const Fabric& fabric, const Parameters& parameters, std::span<const std::uint32_t> path,
                               std::uint64_t bytes) {
  const std::uint64_t full_packets = bytes / parameters.payload();
  const auto rest = static_cast<std::uint32_t>(bytes % parameters.payload());
  const bool has_rest = rest > 0 || bytes == 0;
  const std::uint32_t full_bytes = parameters.full_packet(), last_bytes = rest + parameters.overhead();
  // Starts on the present link: of the first packet, and of the short one behind the full ones.
  Picoseconds first = 0, last = 0, longest = 0, end = 0;
  const LinkState* before = nullptr;
  for (const std::uint32_t index : path) {
    const LinkState& link = fabric.link(index);
    if (before != nullptr) {
      first += step_time(parameters, *before, link, full_bytes);
      last += step_time(parameters, *before, link, last_bytes);
    }
    before = &link;
    const Picoseconds full = link.duration(full_bytes);
    longest = std::max(longest, full);
    if (full_packets > 0) {
      const Picoseconds sent = first + static_cast<Picoseconds>(full_packets - 1) * longest + full;
      last = std::max(last, sent);
      end = sent + link.delay;
    }
    if (has_rest) end = last + link.duration(last_bytes) + link.delay;
  }
  return end;
}

Picoseconds empty_round_trip(const Fabric& fabric, const Parameters& parameters, std::span<const std::uint32_t> forward,
                             std::span<const std::uint32_t> back) {
  return empty_network_time(fabric, parameters, forward, parameters.payload()) +
         empty_network_time(fabric, parameters, back, 0);
}

std::uint64_t sufficient_window(const Fabric& fabric, const Parameters& parameters,
                                std::span<const std::uint32_t> forward, std::span<const std::uint32_t> back) {
  Picoseconds slowest = 1;
  for (const std::uint32_t link : forward)
    slowest = std::max(slowest, fabric.link(link).duration(parameters.full_packet()));
  const Picoseconds round_trip = empty_round_trip(fabric, parameters, forward, back);
  const bool is_delayed = parameters.transport == Transport::tcp && parameters.delayed_ack > 1;
  std::uint64_t unanswered = is_delayed ? parameters.delayed_ack - 1 : 0;
  if (parameters.transport == Transport::rdma) unanswered = rdma_packets_per_answer - 1;
  const auto packets = static_cast<std::uint64_t>((round_trip + slowest - 1) / slowest) + unanswered;
  return packets * parameters.payload();
}

}  // namespace rehearse::packet
