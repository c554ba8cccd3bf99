// SPDX-License-Identifier: MIT
//
// A platform under construction: what XML files and built-in descriptions have in common.
//
// Errors:    methods that can meet a user's mistake return its text without place, or nothing.
// Ownership: finish() takes everything out; the builder is not used afterwards.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simcore/platform.hpp"
#include "simcore/platform/zone_tree.hpp"

namespace rehearse::platform {

using Mistake = std::optional<Error>;

// A link as a description names it. A full-duplex one is a pair of links.
struct NamedLink {
  LinkId up;
  LinkId down;
  bool is_duplex = false;
};

enum class ClusterSharing : std::uint8_t { split_duplex, shared, fatpipe };

struct ClusterDescription {
  std::string name;
  std::string prefix;
  std::string suffix;
  std::vector<std::uint32_t> numbers;  // of its hosts
  double flops_per_second = 0;
  std::uint32_t cores = 1;
  Link link;  // of each host; its name is made
  ClusterSharing sharing = ClusterSharing::split_duplex;
  std::optional<Link> backbone;
  std::optional<Link> loopback;  // of each host
  std::optional<Link> limiter;   // of each host, crossed in both directions
  std::string router;            // empty: a name is made
};

class PlatformBuilder {
 public:
  ZoneTree& tree() { return *tree_; }

  // An empty parent is for the root only.
  Mistake add_zone(const std::string& name, std::optional<PointId> parent, TreeRouting routing);
  Mistake add_host(PointId zone, Host host);
  Mistake add_router(PointId zone, const std::string& name);
  Mistake add_link(Link link, bool is_duplex);
  Mistake add_cluster(std::optional<PointId> parent, const ClusterDescription& description);

  std::optional<PointId> find_point(const std::string& name) const;
  const NamedLink* find_link(const std::string& name) const;
  bool has_hosts() const { return !hosts_.empty(); }

  Platform finish(std::string name);

 private:
  Mistake claim_point(const std::string& name);
  LinkId append_link(Link link);
  ClusterLeg make_leg(const ClusterDescription& description, std::uint32_t number);

  std::vector<Host> hosts_;
  std::vector<Link> links_;
  std::unique_ptr<ZoneTree> tree_ = std::make_unique<ZoneTree>();
  std::map<std::string, PointId> points_;
  std::map<std::string, NamedLink> link_names_;
};

}  // namespace rehearse::platform
