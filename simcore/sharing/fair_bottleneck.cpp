// SPDX-License-Identifier: MIT
//
// Fair bottleneck rates: repeated equal division of the remaining capacity; see parallel_rates.hpp.
//
// A round may use up no resource if tasks are held back at different places. The remaining capacities then shrink
// geometrically; a remainder below 1e-12 of a capacity or bound counts as used up.
#include <algorithm>

#include "simcore/sharing/parallel_rates.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::sharing {

namespace {

constexpr double negligible = 1e-12;
constexpr int most_rounds = 10'000;

class FairBottleneck {
 public:
  explicit FairBottleneck(const ParallelSystem& system)
      : system_(system), users_(system.resources.size()), is_open_(system.tasks.size(), true) {
    for (const ParallelSystem::Resource& resource : system.resources) left_.push_back(resource.capacity);
    for (const ParallelSystem::Task& task : system.tasks) {
      REHEARSE_ASSERT(!task.uses.empty() || task.bound < unbounded, "something limits the task");
      for (const ParallelUse& use : task.uses) ++users_[use.resource];
    }
    result_.rates.assign(system.tasks.size(), 0);
    result_.limits.assign(system.tasks.size(), ParallelRates::by_bound);
  }

  ParallelRates run() {
    for (int round = 0; round < most_rounds && close_the_full(); ++round) divide();
    return result_;
  }

 private:
  bool is_used_up(std::uint32_t resource) const {
    return left_[resource] <= negligible * system_.resources[resource].capacity;
  }

  // Tasks at their bounds or with a used-up resource get no more. True if other tasks remain.
  bool close_the_full() {
    bool is_anyone_left = false;
    for (std::size_t t = 0; t < is_open_.size(); ++t) {
      if (!is_open_[t]) continue;
      const ParallelSystem::Task& task = system_.tasks[t];
      bool is_full = result_.rates[t] >= task.bound * (1 - negligible);
      for (const ParallelUse& use : task.uses) {
        if (is_full || !is_used_up(use.resource)) continue;
        is_full = true;
        result_.limits[t] = use.resource;
      }
      if (is_full) {
        is_open_[t] = false;
        for (const ParallelUse& use : task.uses) --users_[use.resource];
      } else {
        is_anyone_left = true;
      }
    }
    return is_anyone_left;
  }

  void divide() {
    std::vector<double> shares(left_.size());
    for (std::size_t r = 0; r < left_.size(); ++r)
      shares[r] = system_.resources[r].division == Division::fatpipe || users_[r] == 0 ? left_[r]
                                                                                       : left_[r] / users_[r];
    std::vector<double> used(left_.size());
    for (std::size_t t = 0; t < is_open_.size(); ++t) {
      if (!is_open_[t]) continue;
      const ParallelSystem::Task& task = system_.tasks[t];
      double more = task.bound - result_.rates[t];
      for (const ParallelUse& use : task.uses) more = std::min(more, shares[use.resource] / use.total);
      result_.rates[t] += more;
      for (const ParallelUse& use : task.uses) {
        double& load = used[use.resource];
        const bool is_shared = system_.resources[use.resource].division == Division::shared;
        load = is_shared ? load + use.total * more : std::max(load, use.total * more);
      }
    }
    for (std::size_t r = 0; r < left_.size(); ++r) left_[r] = std::max(left_[r] - used[r], 0.0);
  }

  const ParallelSystem& system_;
  std::vector<double> left_;
  std::vector<std::uint32_t> users_;  // open ones, by resource
  std::vector<bool> is_open_;
  ParallelRates result_;
};

}  // namespace

ParallelRates fair_bottleneck_rates(const ParallelSystem& system) { return FairBottleneck(system).run(); }

}  // namespace rehearse::sharing
