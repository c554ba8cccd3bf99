// SPDX-License-Identifier: MIT
//
// The flows that cross each resource and their limiting resources, with the summed loads of each such pair.
//
// Terms:   a bundle is a number of flows that use the same resources with the same weight and bound. It
//          is held back by its bound or by one of its resources; the bundles held back by a resource
//          are its pool, and all have weight*rate = the pool's level. So the load on resource r from
//          the pool of q is (sum of count*coefficient/weight) * level(q): one number per edge (r, q)
//          however many flows there are. Bundles at their bounds add up to one constant per resource.
// Exact:   sums are changed in place while the possible rounding error is below 2e-13 of them, and computed again from
//          their terms before it reaches that.
// Shape:   all identifiers are small indices; those of bundles and edges are reused.
// Threads: none.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simcore/sharing/pair_map.hpp"
#include "simcore/sharing/progressive_filling.hpp"

namespace rehearse::sharing {

using ResourceIndex = std::uint32_t;
using BundleIndex = std::uint32_t;

struct Use {
  ResourceIndex resource = 0;
  double coefficient = 1;
};

class LoadTable {
 public:
  // Limits of bundles that are not resources.
  static constexpr ResourceIndex by_bound = ~0u;
  static constexpr ResourceIndex nowhere = ~0u - 1;  // not decided yet
  static constexpr std::uint32_t none = ~0u;

  struct Crossing {
    double coefficient = 0;
    ResourceIndex resource = 0;
    BundleIndex bundle = 0;
    std::uint32_t edge = none;
    std::uint32_t previous = none;  // on the same edge
    std::uint32_t next = none;
  };
  struct Bundle {
    double weight = 1;
    double bound = unbounded;
    double bound_level = unbounded;  // weight*bound
    std::uint32_t count = 0;
    ResourceIndex limit = nowhere;
    std::uint32_t stamp = 0;  // changes whenever the limit does
    std::uint32_t first = 0;  // crossing
    std::uint32_t size = 0;
  };
  struct In {  // an edge as its resource sees it
    double load = 0;
    ResourceIndex pool = 0;
    std::uint32_t edge = 0;
  };
  struct Out {  // an edge as its pool sees it
    double load = 0;
    ResourceIndex resource = 0;
    std::uint32_t edge = 0;
  };
  // A bundle by its bound level; out of date if its stamp is not the bundle's.
  struct BoundEntry {
    double level = 0;
    BundleIndex bundle = 0;
    std::uint32_t stamp = 0;
  };
  struct Resource {
    double capacity = 0;
    double own_load = 0;              // of its own pool, per unit of level
    double bounded_load = 0;          // of bundles at their bounds
    double lowest_bound = unbounded;  // of the bundles of its pool, or lower
    std::uint32_t own = none;         // edge
    std::uint32_t bounded = none;     // edge
    Division division = Division::shared;
    std::vector<In> in;                      // pools of other resources that load it
    std::vector<Out> out;                    // resources that its pool loads
    std::vector<BoundEntry> own_bounds;      // heap, lowest first
    std::vector<BoundEntry> bounded_bounds;  // heap, highest first
  };

  ResourceIndex add_resource(double capacity, Division division);
  // The new bundle's limit is `nowhere`. Each resource at most once, coefficients > 0.
  BundleIndex add_bundle(double weight, double bound, std::span<const Use> uses);
  void set_count(BundleIndex bundle, std::uint32_t count);
  void remove_bundle(BundleIndex bundle);
  void move(BundleIndex bundle, ResourceIndex limit);

  const Resource& resource(ResourceIndex index) const { return resources_[index]; }
  void set_capacity(ResourceIndex index, double capacity) { resources_[index].capacity = capacity; }
  const Bundle& bundle(BundleIndex index) const { return bundles_[index]; }
  std::span<const Crossing> crossings(BundleIndex index) const {
    return {crossings_.data() + bundles_[index].first, bundles_[index].size};
  }
  std::uint32_t resources() const { return static_cast<std::uint32_t>(resources_.size()); }
  std::uint32_t bundles() const { return live_bundles_; }

  // The bundle of the pool with the lowest bound level, the bundle at its bound with the highest; null if
  // there is none. Valid until the next change.
  const BoundEntry* lowest_own_bound(ResourceIndex resource);
  const BoundEntry* highest_bounded(ResourceIndex resource);

  // Some bundle on the edge.
  BundleIndex bundle_on(std::uint32_t edge) const { return crossings_[edges_[edge].first].bundle; }
  std::uint32_t bundles_on(std::uint32_t edge) const { return edges_[edge].count; }
  template <typename Visit>
  void for_each_crossing(std::uint32_t edge, const Visit& visit) const {
    if (edge == none) return;
    for (std::uint32_t i = edges_[edge].first; i != none; i = crossings_[i].next) visit(crossings_[i]);
  }
  template <typename Visit>
  void for_each_crossing_of(ResourceIndex resource, const Visit& visit) const {
    const Resource& r = resources_[resource];
    for_each_crossing(r.own, visit);
    for_each_crossing(r.bounded, visit);
    for (const In& in : r.in) for_each_crossing(in.edge, visit);
  }

 private:
  struct Edge {
    double load = 0;
    double error = 0;  // bound of the rounding error of the load
    ResourceIndex resource = 0;
    ResourceIndex pool = 0;
    std::uint32_t count = 0;  // of bundles
    std::uint32_t first = none;
    std::uint32_t in_place = 0;
    std::uint32_t out_place = 0;
  };

  std::uint32_t edge_of(ResourceIndex resource, ResourceIndex pool);
  void remove_edge(std::uint32_t edge);
  void link(std::uint32_t crossing, ResourceIndex pool);
  void unlink(std::uint32_t crossing);
  void add_load(std::uint32_t edge, double change);
  double term(const Crossing& crossing, ResourceIndex pool) const;
  bool is_current(const BoundEntry& entry) const { return bundles_[entry.bundle].stamp == entry.stamp; }

  std::vector<Resource> resources_;
  std::vector<Bundle> bundles_;
  std::vector<Crossing> crossings_;
  std::vector<Edge> edges_;
  std::vector<BundleIndex> free_bundles_;
  std::vector<std::uint32_t> free_edges_;
  std::vector<std::vector<std::uint32_t>> free_crossings_;  // first of a block, by its size
  PairMap edge_by_ends_;
  std::uint32_t live_bundles_ = 0;
};

}  // namespace rehearse::sharing
