// SPDX-License-Identifier: MIT
//
// The current state of each link, and its resource of the fluid.
//
// Shape:   a shared link becomes a resource at its first use. A wifi link is a resource of capacity 1, the medium's
//          time, of which a byte of a station takes 1/rate. A fatpipe is not a resource, unless SimGrid's treatment of
//          fatpipes is selected. While loads are watched it is a meter.
// Changes: of the network's bandwidth are in the bandwidths of links, unless it is infinite.
// Contention: with a table, the capacity of a shared link is less while several flows cross it
// (library_parameters.hpp). Threads: none.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "simcore/cost/resource_table.hpp"
#include "simcore/network/network_parameters.hpp"
#include "simcore/platform.hpp"

namespace rehearse::network {

struct LinkState {
  static constexpr std::uint32_t none = ~0u;
  double bytes_per_second = 0;
  double latency_seconds = 0;
  sharing::ResourceIndex resource = none;
  std::uint32_t limit = 0;  // of concurrent flows; 0: none
  bool is_on = true;
};

class LinkStates {
 public:
  LinkStates(const Platform& platform, cost::Resources& resources, const NetworkParameters& parameters);

  LinkState& operator[](LinkId link) { return states_[link.value]; }
  const LinkState& operator[](LinkId link) const { return states_[link.value]; }

  // Whether it limits each transfer for itself.
  bool is_fatpipe(LinkId link) const {
    return !changes_.has_contention || (!has_quirks_ && platform_.link(link).sharing == LinkSharing::fatpipe);
  }
  bool is_resource(LinkId link) const { return !is_fatpipe(link); }
  bool is_meter(LinkId link) const { return is_fatpipe(link) && resources_.is_watched(); }
  // The present value, from that of the platform or of a profile.
  double changed_bandwidth(double bytes_per_second) const {
    return changes_.has_bandwidths() ? bytes_per_second * changes_.bandwidth_factor : bytes_per_second;
  }
  double changed_latency(double seconds) const { return seconds * changes_.latency_factor; }
  sharing::ResourceIndex resource(LinkId link);  // or meter

  void set_limit(LinkId link, std::uint32_t flows);

  // The rate of a station of a wifi link at its level.
  double wifi_rate(LinkId link, HostId station) const;
  void set_wifi_level(LinkId link, HostId station, std::uint32_t level);

 private:
  const Platform& platform_;
  cost::Resources& resources_;
  std::vector<LinkState> states_;
  std::map<std::pair<LinkId, HostId>, std::uint32_t> wifi_levels_;  // levels other than 0
  const std::vector<ContentionPiece>& contention_;
  bool has_quirks_;
  NetworkChanges changes_;
};

}  // namespace rehearse::network
