// SPDX-License-Identifier: MIT
//
// Interconnects by formula: which cables join leaves and switches, and over which a route goes.
//
// Shape:  leaves are 0 .. leaf_count() - 1, switches follow; cables are numbered. A cable joins a near
//         and a far end, and is crossed forward (from near to far) or backward.
// Errors: make_topology: what is wrong with the parameters, without place.
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "simcore/platform/zone_tree.hpp"

namespace rehearse::platform {

// Where a topology's route goes: one call for each cable and for each leaf or switch, in order.
class RouteSink {
 public:
  virtual ~RouteSink() = default;
  virtual void cross(std::uint32_t cable, bool forward) = 0;
  virtual void visit(std::uint32_t node) = 0;
};

struct Cable {
  std::string name;
  double bandwidth_factor = 1;  // of several in parallel that are described as one
};

class Topology {
 public:
  virtual ~Topology() = default;
  virtual std::uint64_t leaf_count() const = 0;
  virtual std::uint64_t switch_count() const = 0;
  virtual std::uint64_t cable_count() const = 0;
  virtual Cable cable(std::uint32_t number, const std::string& cluster) const = 0;
  // Between different leaves.
  virtual void route(std::uint32_t from, std::uint32_t to, RouteSink& sink) const = 0;
  // Whether a leaf's way to itself crosses nothing, so that it needs a loopback.
  virtual bool needs_loopback() const { return true; }

  // The number by which links are named after a leaf or switch.
  std::uint64_t label(std::uint64_t node) const;
};

std::unique_ptr<Topology> make_torus(const Torus& torus);
std::unique_ptr<Topology> make_fat_tree(const FatTree& tree);
std::unique_ptr<Topology> make_dragonfly(const Dragonfly& dragonfly);

// Of parameters that are usable, with no more leaves and cables than that.
Result<std::unique_ptr<Topology>> make_topology(const Torus& torus, const PlatformLimits& limits);
Result<std::unique_ptr<Topology>> make_topology(const FatTree& tree, const PlatformLimits& limits);
Result<std::unique_ptr<Topology>> make_topology(const Dragonfly& dragonfly, const PlatformLimits& limits);

// Links of a cluster with a topology: loopbacks, limiters, cables, each in one block.
struct TopologyLayout {
  std::optional<LinkId> first_loopback;  // one for each leaf
  std::optional<LinkId> first_limiter;   // one for each leaf and switch
  LinkId first_cable;
  bool is_duplex = false;  // two links for each cable: forward, backward
};

std::unique_ptr<LocalRoutes> make_topology_routes(std::unique_ptr<const Topology> topology,
                                                  const TopologyLayout& layout, std::vector<PointId> gateways);

}  // namespace rehearse::platform
