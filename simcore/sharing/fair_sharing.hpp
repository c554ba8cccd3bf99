// SPDX-License-Identifier: MIT
//
// Weighted max-min fair sharing of resources among flows that use several of them at once.
//
// Meaning: the rates x maximise, lexicographically, the smallest weight*x, subject to
//          sum(coefficient*x) <= capacity for every resource and x <= bound for every flow. So every
//          flow is at its bound or crosses a full resource on which nobody has a greater weight*x.
//          A resource that does not divide its capacity is not a resource here but a bound.
// Shape:   flows and resources are small indices; a removed flow's index is used again.
// Cost:    solve() looks only at flows that share a resource, directly or through others, with a flow
//          that was added or removed since the last solve.
// Errors:  none; a flow with neither a bound nor a resource is a caller's bug (asserted).
// Threads: none.
// Source:  progressive filling: Bertsekas and Gallager, Data Networks, 2nd edition, 6.5.2.
//          Departures: weights; levels of resources are kept in a heap, and looked at again lazily,
//          because they only grow while flows are being fixed.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace rehearse::sharing {

using ResourceIndex = std::uint32_t;
using FlowIndex = std::uint32_t;

inline constexpr double unbounded = std::numeric_limits<double>::infinity();

struct Use {
  ResourceIndex resource = 0;
  double coefficient = 1;
};

// How a resource is divided: by all its users together, or (SimGrid's notion) each user may have all of
// it but a full one holds every user's weight*x down to the same level.
enum class Division { shared, fatpipe };

class FairSharing {
 public:
  // A resource of capacity 0 stops its users.
  ResourceIndex add_resource(double capacity, Division division = Division::shared);
  void set_capacity(ResourceIndex resource, double capacity);
  double capacity(ResourceIndex resource) const { return resources_[resource].capacity; }

  // Requires weight > 0, bound >= 0, each resource at most once, coefficients > 0. The rate is 0 until
  // the next solve().
  FlowIndex add_flow(double weight, double bound, std::span<const Use> uses);
  void remove_flow(FlowIndex flow);

  // Brings all rates up to date. Returns the flows whose rate was computed anew, in no useful order but
  // always the same one; valid until the next call.
  std::span<const FlowIndex> solve();

  double rate(FlowIndex flow) const { return flows_[flow].rate; }
  // The full resource that holds the flow back; `by_bound` if it is its own bound.
  static constexpr ResourceIndex by_bound = ~0u;
  ResourceIndex limit(FlowIndex flow) const { return flows_[flow].limit; }
  // The resources that the last solve() looked at.
  std::span<const ResourceIndex> solved_resources() const { return component_resources_; }
  // Sum of coefficient*x now; for a fatpipe the greatest.
  double usage(ResourceIndex resource) const;

 private:
  struct Crossing {
    ResourceIndex resource = 0;
    double coefficient = 0;
    std::uint32_t place = 0;  // in Resource::users
  };
  struct Flow {
    double weight = 1;
    double bound = unbounded;
    double rate = 0;
    std::vector<Crossing> crossings;
    std::uint64_t seen = 0;  // the solve that last looked at it
    ResourceIndex limit = ~0u;
    bool is_fixed = true;
    bool is_gone = false;  // removed, perhaps still listed as added
  };
  struct User {
    FlowIndex flow = 0;
    std::uint32_t crossing = 0;  // in Flow::crossings
  };
  struct Resource {
    double capacity = 0;
    Division division = Division::shared;
    std::vector<User> users;
    std::uint64_t seen = 0;
    double remaining = 0;         // capacity that fixed flows left
    double load = 0;              // sum of coefficient/weight of flows that are not fixed
    std::uint32_t unfixed = 0;    // how many these are
    std::uint32_t recompute = 0;  // below this many, sums are made afresh against cancellation
  };
  using Level = std::pair<double, std::uint32_t>;

  void collect_component();
  void fill();
  void recompute(Resource& resource);
  void solve_alone(Flow& flow);
  void fix(FlowIndex flow, double rate, ResourceIndex limit);
  void fix_users(ResourceIndex resource, double level);
  double level_of(const Resource& resource) const;

  std::vector<Resource> resources_;
  std::vector<Flow> flows_;
  std::vector<FlowIndex> free_;
  std::uint64_t solve_number_ = 0;
  std::vector<ResourceIndex> dirty_resources_;
  std::vector<FlowIndex> dirty_flows_;
  std::vector<FlowIndex> component_;
  std::vector<ResourceIndex> component_resources_;
  std::vector<Level> resource_levels_;
  std::vector<Level> bound_levels_;
};

}  // namespace rehearse::sharing
