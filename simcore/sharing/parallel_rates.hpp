// SPDX-License-Identifier: MIT
//
// Rates of parallel tasks: work on many resources at once that advances in step everywhere.
//
// Meaning: a task at rate x loads each of its resources with total*x, the sum of parts of which the greatest is
//          greatest*x. No resource is loaded above its capacity; a fatpipe limits each part by itself.
//          There are two rules of fairness:
//          * bottleneck max fairness: every task is at its bound or has a full resource on which no task
//            has a greater weight*greatest*x;
//          * fair bottleneck: in each round, the remaining capacity of each resource is divided equally, and each
//            task gets what its divisions allow, until one of its resources is used up.
// Errors:  none; a task with neither a bound nor a resource is a caller's bug (asserted).
// Threads: none.
// Source:  Bonald and Roberts, Multi-resource fairness: objectives, algorithms and performance,
//          SIGMETRICS 2015 (the definition); hal-01552739 (the iteration over the limits of tasks).
//          Departures: see parallel_rates.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "simcore/sharing/progressive_filling.hpp"

namespace rehearse::sharing {

struct ParallelUse {
  std::uint32_t resource = 0;
  double total = 0;
  double greatest = 0;  // part; at most the total
};

struct ParallelSystem {
  struct Resource {
    double capacity = 0;
    Division division = Division::shared;
  };
  struct Task {
    double weight = 1;
    double bound = unbounded;
    std::vector<ParallelUse> uses;  // each resource at most once, totals > 0
  };
  std::vector<Resource> resources;
  std::vector<Task> tasks;
};

struct ParallelRates {
  static constexpr std::uint32_t by_bound = ~0u;
  std::vector<double> rates;
  std::vector<std::uint32_t> limits;  // the resource that holds the task back, or `by_bound`
  bool is_fair = true;                // false: none was found in time; the rates are dominant-share fair
};

// Always ends. If neither the iteration nor its damped form finds a fair allocation, tasks get rates such
// that the greatest weight*greatest*x/capacity of each rises together (dominant-share fairness).
ParallelRates bottleneck_max_fair_rates(const ParallelSystem& system);
ParallelRates bottleneck_max_fair_rates(const ParallelSystem& system, int most_sweeps);

ParallelRates fair_bottleneck_rates(const ParallelSystem& system);

// The definition of bottleneck max fairness, to a relative tolerance.
bool is_bottleneck_max_fair(const ParallelSystem& system, const std::vector<double>& rates, double tolerance);

}  // namespace rehearse::sharing
