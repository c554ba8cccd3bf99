// SPDX-License-Identifier: MIT
//
// Weighted max-min fair rates of a whole system at once.
//
// Meaning: the rates x maximise, lexicographically, the smallest weight*x, subject to
//          sum(coefficient*x) <= capacity for every resource and x <= bound for every flow. So every
//          flow is at its bound or crosses a full resource on which no flow has a greater weight*x.
//          Each user of a fatpipe (SimGrid's term) may use the whole capacity, but a full fatpipe
//          limits all its users to one weight*x.
// Use:     clear(), describe the system, solve(), read the results. Memory is kept for the next system.
// Errors:  none; a flow with neither a bound nor a resource is a caller's bug (asserted).
// Threads: none.
// Source:  Bertsekas and Gallager, Data Networks, 2nd edition, 6.5.2. Departures: weights; levels of
//          resources are kept in a heap and updated lazily, because they only grow while flows are
//          being fixed.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace rehearse::sharing {

inline constexpr double unbounded = std::numeric_limits<double>::infinity();

enum class Division { shared, fatpipe };

class ProgressiveFilling {
 public:
  static constexpr std::uint32_t by_bound = ~0u;

  void clear();
  std::uint32_t add_resource(double capacity, Division division = Division::shared);
  // Call add_use() for each use right after add_flow(); each resource at most once.
  std::uint32_t add_flow(double weight, double bound);
  void add_use(std::uint32_t resource, double coefficient);

  void solve();

  double rate(std::uint32_t flow) const { return flows_[flow].rate; }
  // The full resource that holds the flow back, or `by_bound`.
  std::uint32_t limit(std::uint32_t flow) const { return flows_[flow].limit; }
  // The weight*x of the flows that the resource holds back; `unbounded` if there are none.
  double level(std::uint32_t resource) const { return resources_[resource].level; }

 private:
  struct Crossing {
    std::uint32_t resource = 0;
    std::uint32_t flow = 0;
    double coefficient = 0;
  };
  struct Flow {
    double weight = 1;
    double bound = unbounded;
    double rate = 0;
    std::uint32_t limit = by_bound;
    std::uint32_t first = 0;  // crossing
    bool is_fixed = false;
  };
  struct Resource {
    double capacity = 0;
    double remaining = 0;  // capacity that fixed flows do not use
    double load = 0;       // sum of coefficient/weight of flows that are not fixed
    double level = unbounded;
    std::uint32_t first = 0;  // user
    std::uint32_t users = 0;
    std::uint32_t unfixed = 0;    // how many users are not fixed
    std::uint32_t recompute = 0;  // below this many, sums are computed again, against cancellation
    Division division = Division::shared;
    bool is_changed = false;  // since next_level
    double next_level = 0;    // of a small system
  };
  using Level = std::pair<double, std::uint32_t>;

  static constexpr std::size_t small_system = 96;  // resources

  void solve_small();
  void solve_large();
  void list_users();
  void recompute(Resource& resource) const;
  double level_of(const Resource& resource) const;
  void fix(std::uint32_t flow, double rate, std::uint32_t limit);
  void fix_users(std::uint32_t resource, double level);

  std::vector<Resource> resources_;
  std::vector<Flow> flows_;
  std::vector<Crossing> crossings_;   // by flow
  std::vector<std::uint32_t> users_;  // crossings by resource
  std::vector<Level> resource_levels_;
  std::vector<Level> bound_levels_;
};

}  // namespace rehearse::sharing
