// SPDX-License-Identifier: MIT
//
// Interconnects by formula: the cables between leaves and switches, and the cables of a route.
//
// Shape:  leaves are 0 .. leaf_count() - 1, switches follow; cables are numbered. A cable connects a near and a far
//         end. A route crosses it forward (from near to far) or backward.
// Errors: make_topology reports invalid parameters, without place.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>

#include "simcore/platform/zone_tree.hpp"

namespace rehearse::platform {

// Receives a route: one call for each cable and for each leaf or switch, in order.
class RouteSink {
 public:
  virtual ~RouteSink() = default;
  virtual void cross(std::uint32_t cable, bool forward) = 0;
  virtual void visit(std::uint32_t node) = 0;
};

struct Cable {
  std::string name;
  double bandwidth_factor = 1;  // the number of parallel cables that it represents
};

class Topology {
 public:
  virtual ~Topology() = default;
  virtual std::uint64_t leaf_count() const = 0;
  virtual std::uint64_t switch_count() const = 0;
  virtual std::uint64_t cable_count() const = 0;
  virtual Cable cable(std::uint32_t number, const std::string& cluster) const = 0;
  // The route between two different leaves.
  virtual void route(std::uint32_t from, std::uint32_t to, RouteSink& sink) const = 0;
  // One of several equal routes (Route::choice, not 0).
  virtual void route(std::uint32_t from, std::uint32_t to, std::uint64_t /*choice*/, RouteSink& sink) const {
    route(from, to, sink);
  }
  // Calls `draw` for each cable with its near and its far end. By default those of routes, also of some equal ones.
  using DrawCable = std::function<void(std::uint32_t cable, std::uint32_t near, std::uint32_t far)>;
  virtual void draw_cables(const DrawCable& draw) const;
  // Whether the route of a leaf to itself has no cable, so that the leaf needs a loopback.
  virtual bool needs_loopback() const { return true; }

  // The number of a leaf or switch in the names of its links.
  std::uint64_t label(std::uint64_t node) const;
};

std::unique_ptr<Topology> make_torus(const Torus& torus);
std::unique_ptr<Topology> make_fat_tree(const FatTree& tree);
std::unique_ptr<Topology> make_dragonfly(const Dragonfly& dragonfly);

// Error: the parameters are invalid or exceed the limits.
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
