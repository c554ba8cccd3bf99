// SPDX-License-Identifier: MIT
//
// Incremental weighted max-min fair sharing: after a change, only the affected part is solved again.
//
// Meaning: that of ProgressiveFilling. Flows with the same uses, weight and bound are one bundle; coefficients, weights
//          and bounds are those of one flow of the bundle.
// Cost:    solve() visits the resources whose level a change affects, in the order of their levels, each normally
//          once, at a cost that grows with the number of other pools that load it. Bundles are touched only when their
//          limit changes. If resources must be visited many times (many changes at once, or levels that change their
//          order), and wherever there are fatpipes, the connected part is solved at once by ProgressiveFilling.
// Exact:   a level stays if the right one differs by less than 1e-12 of it. These errors do not add up: each visit
//          takes the current levels around it.
// Shape:   small indices; the index of a removed bundle is reused.
// Errors:  none; a flow with neither a bound nor a resource is a caller's bug (asserted).
// Threads: none.
// Source:  the conditions that the levels fulfil together are those of distributed max-min algorithms:
//          Ros and Tsai, A theory of convergence order of maxmin rate allocation, INFOCOM 2001; Mozo,
//          Lopez-Presa, Fernandez Anta, B-Neck: a distributed and quiescent max-min fair algorithm,
//          NCA 2011. Departures: one agent, lowest level first; pools instead of flows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simcore/sharing/level_queue.hpp"
#include "simcore/sharing/load_table.hpp"
#include "simcore/sharing/progressive_filling.hpp"

namespace rehearse::sharing {

class FairSharing {
 public:
  static constexpr ResourceIndex by_bound = LoadTable::by_bound;

  // A resource of capacity 0 stops its users; the capacity may be infinite.
  ResourceIndex add_resource(double capacity, Division division = Division::shared);
  void set_capacity(ResourceIndex resource, double capacity);
  double capacity(ResourceIndex resource) const { return table_.resource(resource).capacity; }

  // One flow. Requires weight > 0, bound >= 0, each resource at most once, coefficients > 0.
  BundleIndex add_bundle(double weight, double bound, std::span<const Use> uses);
  // The number of flows in the bundle; 0: the bundle is removed, and its index is free.
  void set_count(BundleIndex bundle, std::uint32_t count);

  void solve();

  // As of the last solve().
  double rate(BundleIndex bundle) const {
    const LoadTable::Bundle& b = table_.bundle(bundle);
    return b.limit == by_bound ? b.bound : levels_[b.limit] / b.weight;
  }
  // The full resource that holds the bundle back; `by_bound` if its own bound does.
  ResourceIndex limit(BundleIndex bundle) const { return table_.bundle(bundle).limit; }
  std::span<const LoadTable::Crossing> crossings(BundleIndex bundle) const { return table_.crossings(bundle); }
  // The other resources that the bundles held back by this one use.
  std::span<const LoadTable::Out> loaded_by(ResourceIndex resource) const { return table_.resource(resource).out; }
  // weight*rate of the bundles that the resource holds back; `unbounded` if it holds back none.
  double level(ResourceIndex resource) const { return levels_[resource]; }
  // Sum of coefficient*rate; for a fatpipe the greatest.
  double usage(ResourceIndex resource) const;

  // Results of the last solve(): bundles with a new limit (new bundles included), resources with a new level, resources
  // whose load may have changed.
  std::span<const BundleIndex> moved() const { return moved_; }
  std::span<const ResourceIndex> relevelled() const { return relevelled_; }
  std::span<const ResourceIndex> visited() const { return visited_; }

 private:
  struct Mark {
    std::uint64_t visited = 0;     // the solve that last visited it
    std::uint64_t relevelled = 0;  // the solve that last gave it another level
    std::uint64_t collected = 0;   // the collection that last found it
    std::uint32_t local = 0;       // its index in the system to be filled
    bool is_dirty = false;
  };
  struct BundleMark {
    std::uint64_t moved = 0;
    std::uint64_t collected = 0;
  };

  void note_visit(ResourceIndex resource);
  void touch(ResourceIndex resource);
  void touch_all(BundleIndex bundle);
  void place_fresh();
  void visit(ResourceIndex resource);
  double level_now(ResourceIndex resource);
  // A level, and whether a pool that loads the resource has a higher one.
  struct Root {
    double level = 0;
    bool is_passed = false;
  };
  Root root(ResourceIndex resource);
  bool may_stay(ResourceIndex resource, double change);
  bool release_bound(ResourceIndex resource, double level);
  bool release_held(ResourceIndex resource, double level);
  bool capture_bounded(ResourceIndex resource, double level);
  void capture_faster(ResourceIndex resource, double level);
  void move(BundleIndex bundle, ResourceIndex limit);
  double level_of(BundleIndex bundle) const;
  void set_level(ResourceIndex resource, double level);
  void fill();
  void collect(ResourceIndex resource);

  LoadTable table_;
  ProgressiveFilling filling_;
  std::vector<double> levels_;
  std::vector<double> loads_;   // approximate, of resources that hold back no bundle
  std::vector<double> limits_;  // loads up to which they certainly hold back none
  std::vector<Mark> marks_;
  std::vector<BundleMark> bundle_marks_;
  std::vector<BundleIndex> fresh_;
  std::vector<ResourceIndex> dirty_;
  LevelQueue queue_;
  std::vector<BundleIndex> moved_;
  std::vector<ResourceIndex> relevelled_;
  std::vector<ResourceIndex> visited_;
  std::vector<ResourceIndex> part_;  // to be filled at once
  std::vector<BundleIndex> part_bundles_;
  std::vector<std::uint32_t> edges_;  // scratch
  ResourceIndex visiting_ = LoadTable::nowhere;
  std::uint64_t solve_number_ = 0;
  std::uint64_t collection_ = 0;
  std::uint64_t visits_ = 0;  // of this solve
};

}  // namespace rehearse::sharing
