// SPDX-License-Identifier: MIT
//
// Flat clusters in a platform, recognized by the names that the format gives to their hosts and links.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "simcore/platform.hpp"

namespace rehearse::platform {

// Some hosts of a flat cluster.
struct FlatCluster {
  std::string name;
  std::vector<HostId> hosts;
  std::vector<std::uint32_t> numbers;  // by host
  std::string prefix, suffix;
  std::string router;                                 // a new name
  std::optional<LinkId> backbone, loopback, limiter;  // the last two: of the first host
  LinkId cable;
  bool is_duplex = false;

  // The links between a host and the router, on the way out and on the way in.
  std::vector<LinkId> way_out(const Platform& platform, std::size_t host) const;
  std::vector<LinkId> way_in(const Platform& platform, std::size_t host) const;
  // <cluster>
  std::string text(const Platform& platform) const;
};

// Requires hosts of one zone, at least two. Nothing: they are not hosts of a flat cluster, or differ otherwise than by
// their numbers. That the routes are those of the cluster is not checked.
std::optional<FlatCluster> find_flat_cluster(const Platform& platform, std::span<const HostId> hosts);

}  // namespace rehearse::platform
