// SPDX-License-Identifier: MIT
//
// Packets from outside through the links of the platform.
#include <algorithm>

#include "simcore/packet/packet_cost_model.hpp"

namespace rehearse::packet {

std::optional<std::uint32_t> PacketCostModel::open(HostId source, HostId destination, std::uint64_t flow,
                                                   TimePoint now) {
  catch_up(now);
  if (!routes_.find(source, destination, Streams::choice(network_.parameters(), source, destination, flow)))
    return std::nullopt;
  const std::uint32_t connection = network_.ends().open_relay(routes_.links(++serial_, now));
  if (!pair_losses_.empty()) pair_losses_.open(2 * connection, source, destination);
  relay_paths_.push_back({source, destination, connection});
  return static_cast<std::uint32_t>(relay_paths_.size() - 1);
}

void PacketCostModel::send(std::uint32_t path, std::uint64_t number, std::uint32_t bytes, TimePoint now) {
  catch_up(now);
  const RelayPath& used = relay_paths_[path];
  if (others_->is_host_on(used.source, now) && others_->is_host_on(used.destination, now))
    network_.ends().relay(used.connection, number, bytes, now.picoseconds);
  else refused_.push_back({number, now, true, false});
}

std::vector<RelayedPacket> PacketCostModel::take() {
  std::vector<RelayedPacket> left = std::move(refused_);
  refused_.clear();
  const auto middle = static_cast<std::ptrdiff_t>(left.size());
  for (const Relayed& packet : network_.ends().relayed())
    left.push_back({packet.number, {packet.date}, packet.is_lost, packet.is_marked});
  network_.ends().relayed().clear();
  std::inplace_merge(left.begin(), left.begin() + middle, left.end(),
                     [](const RelayedPacket& a, const RelayedPacket& b) { return a.date < b.date; });
  return left;
}

}  // namespace rehearse::packet
