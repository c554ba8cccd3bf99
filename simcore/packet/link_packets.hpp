// SPDX-License-Identifier: MIT
//
// Reports the packets of links to an observer of resources.
//
// Ownership: observer and fabric must outlive it.
#pragma once

#include "simcore/cost_model.hpp"
#include "simcore/packet/fabric.hpp"
#include "simcore/packet/observer.hpp"

namespace rehearse::packet {

class LinkPackets final : public Observer {
 public:
  LinkPackets(ResourceObserver& observer, const Fabric& fabric) : observer_(observer), fabric_(fabric) {}

  void on_transmission(std::uint32_t link, const Packet& packet, Picoseconds start) override {
    const LinkState& state = fabric_.link(link);
    const std::uint32_t platform_link = fabric_.origin(link);
    if (platform_link >= distance_origin) return;
    const std::uint32_t bytes = fabric_.wire_bytes(packet);
    observer_.on_link_packet({platform_link}, bytes, {start}, {start + state.duration(bytes)});
  }
  void on_message(std::uint32_t, std::uint64_t, std::uint64_t, bool, const Transfer&) override {}

 private:
  ResourceObserver& observer_;
  const Fabric& fabric_;
};

}  // namespace rehearse::packet
