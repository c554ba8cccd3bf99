// SPDX-License-Identifier: MIT
//
// From the platform's links and routes to those of packets.
//
// Shape: a link gets its transmitter and queue when the first path needs it. FATPIPE links, and all links of a network
//        without contention, have a transmitter for each connection. A distance of coordinates is a last link
//        without transmitter.
// Units: bytes, seconds.
#pragma once

#include <optional>
#include <vector>

#include "simcore/cost_model.hpp"
#include "simcore/packet/fabric.hpp"

namespace rehearse::packet {

class Routes {
 public:
  Routes(const Platform& platform, CostModel& states, Fabric& fabric, std::vector<LinkParameters> own,
         const NetworkChanges& changes)
      : platform_(platform), states_(states), fabric_(fabric), own_(std::move(own)), changes_(changes) {}

  // False: there is none, or it crosses no link. `choice` selects one of several equal routes; 0: the one of the flow
  // models.
  bool find(HostId source, HostId destination, std::uint64_t choice);
  const Route& route() const { return route_; }  // that find() has found
  // The links of the last route, with private ones of the connection with this number.
  std::vector<std::uint32_t> links(std::uint64_t connection, TimePoint now);
  void clear() { route_.links.clear(); }
  double latency_factor() const { return changes_.latency_factor; }
  void remove_copies(std::uint32_t path);

  // Calls on(index) for the link and all copies of it.
  template <class On>
  void for_each(LinkId link, const On& on) {
    if (link.value >= index_of_.size() || index_of_[link.value] == nothing) return;
    const std::uint32_t original = index_of_[link.value];
    on(original);
    for (std::uint32_t i = 0; i < fabric_.link_count(); ++i)
      if (fabric_.link(i).is_copy && fabric_.link(i).origin == original) on(i);
  }
  LinkId platform_link(std::uint32_t index) const { return {fabric_.origin(index)}; }
  double changed_bandwidth(double bytes_per_second) const {
    return changes_.has_bandwidths() ? bytes_per_second : unlimited;
  }

 private:
  std::uint32_t index_of(LinkId link, TimePoint now);
  bool is_private(LinkId link) const {
    return !changes_.has_contention || platform_.link(link).sharing == LinkSharing::fatpipe;
  }

  const Platform& platform_;
  CostModel& states_;
  Fabric& fabric_;
  std::vector<LinkParameters> own_;      // by link; empty: none has any
  std::vector<std::uint32_t> index_of_;  // by link of the platform
  std::uint32_t distance_ = nothing;
  NetworkChanges changes_;
  Route route_;
};

}  // namespace rehearse::packet
