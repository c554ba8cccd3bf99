// SPDX-License-Identifier: MIT
//
// The routes of an extracted platform: between groups of hosts, which are flat clusters, stars or single hosts.
//
// Errors: more links of explicit routes than are accepted.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "simcore/platform/extraction/flat_cluster.hpp"
#include "simcore/platform/extraction/star_zone.hpp"
#include "simcore/platform_extraction.hpp"

namespace rehearse::platform {

struct RouteBetweenGroups {
  std::size_t from = 0, to = 0;  // groups; equal for a host with itself
  std::vector<LinkId> links;
};

struct HostGroup {
  std::optional<FlatCluster> cluster;
  std::optional<StarZone> star;
  HostId host;  // the only one, or the first one

  bool is_zone() const { return cluster || star; }
  // Of groups that are zones:
  const std::string& name() const { return cluster ? cluster->name : star->name; }
  const std::string& router() const { return cluster ? cluster->router : star->router; }
  // Of the first host.
  std::vector<LinkId> way_out(const Platform& platform) const {
    return cluster ? cluster->way_out(platform, 0) : star->way_out(0);
  }
  std::vector<LinkId> way_in(const Platform& platform) const {
    return cluster ? cluster->way_in(platform, 0) : star->way_in(0);
  }
};

class RoutePlan {
 public:
  // `keeps_zones`: otherwise each host is a group.
  RoutePlan(const Platform& platform, std::span<const HostId> hosts, bool keeps_zones);

  const std::vector<HostGroup>& groups() const { return groups_; }
  std::size_t zones() const;  // groups that are zones

  // Calls `visit` for each two groups in both directions, and for hosts whose route to themselves has links of their
  // own. Pairs that are not connected are left out. False: it has stopped, because visit() returned false, or because a
  // route of a zone does not lead through its links.
  bool for_each_route(const auto& visit) const {
    RouteBetweenGroups way;
    for (way.from = 0; way.from < groups_.size(); ++way.from)
      for (way.to = way.from; way.to < groups_.size(); ++way.to) {
        if (!visit_pair(way, visit)) return false;
        if (way.from == way.to) continue;
        std::swap(way.from, way.to);
        const bool goes_on = visit_pair(way, visit);
        std::swap(way.from, way.to);
        if (!goes_on) return false;
      }
    return true;
  }

 private:
  bool visit_pair(RouteBetweenGroups& way, const auto& visit) const {
    const std::optional<bool> found = find(way);
    return found ? !*found || visit(std::as_const(way)) : false;
  }
  // True: links are those of the way. False: there is none to describe. Nothing: the route does not fit the groups.
  std::optional<bool> find(RouteBetweenGroups& way) const;

  const Platform& platform_;
  std::vector<HostGroup> groups_;
};

}  // namespace rehearse::platform
