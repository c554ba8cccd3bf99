// SPDX-License-Identifier: MIT
//
// Bottleneck max fairness and fair bottleneck; see the header.
//
// Bottleneck max fairness here: give each resource a level, the greatest share (weight*greatest*x) that it
// allows a task, infinite if it is not full. Then x is the least of bound and level/(weight*greatest), and
// an allocation is fair exactly if each resource with a finite level is full. Sweeps set one level after the
// other to fit the other levels. As soon as the limit of each task stays the same, the levels are the solution of a
// linear system. If that does not happen in time, sweeps are damped.
#include "simcore/sharing/parallel_rates.hpp"

#include <algorithm>
#include <cmath>

#include "simcore/sharing/linear_system.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::sharing {

namespace {

constexpr double rate_tolerance = 1e-10;
constexpr int damped_from = 60;

// A task's part in a resource.
struct Part {
  std::uint32_t task = 0;
  double total = 0;
  double share = 0;  // weight*greatest
};

// Bounds of tasks, including the resources that are not divided: fatpipes, and resources without capacity.
std::vector<double> bounds_of(const ParallelSystem& system) {
  std::vector<double> bounds;
  for (const ParallelSystem::Task& task : system.tasks) {
    REHEARSE_ASSERT(!task.uses.empty() || task.bound < unbounded, "something limits the task");
    double bound = task.bound;
    for (const ParallelUse& use : task.uses) {
      const ParallelSystem::Resource& resource = system.resources[use.resource];
      if (resource.division == Division::fatpipe || resource.capacity == 0)
        bound = std::min(bound, resource.capacity / use.greatest);
    }
    bounds.push_back(bound);
  }
  return bounds;
}

class BottleneckMaxFairness {
 public:
  explicit BottleneckMaxFairness(const ParallelSystem& system)
      : system_(system),
        bounds_(bounds_of(system)),
        parts_(system.resources.size()),
        levels_(system.resources.size(), unbounded),
        limits_(system.tasks.size(), ParallelRates::by_bound) {
    for (std::uint32_t t = 0; t < system.tasks.size(); ++t)
      for (const ParallelUse& use : system.tasks[t].uses)
        if (is_divided(use.resource))
          parts_[use.resource].push_back({t, use.total, system.tasks[t].weight * use.greatest});
  }

  bool run(int most_sweeps) {
    std::vector<std::uint32_t> before;
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
      for (auto r = static_cast<std::uint32_t>(levels_.size()); r-- > 0;)
        if (!parts_[r].empty()) set_level(r, sweep >= damped_from);
      before.swap(limits_);
      find_limits();
      const bool is_time = sweep % 16 == 15;
      if ((before == limits_ || is_time) && solve_exactly()) return true;
    }
    return false;
  }

  ParallelRates result() const { return {rates_, limits_, true}; }

 private:
  bool is_divided(std::uint32_t resource) const {
    const ParallelSystem::Resource& r = system_.resources[resource];
    return r.division == Division::shared && r.capacity > 0;
  }

  // The rate that the bound and all other resources allow.
  double rate_without(std::uint32_t task, std::uint32_t resource) const {
    double rate = bounds_[task];
    for (const ParallelUse& use : system_.tasks[task].uses)
      if (use.resource != resource && is_divided(use.resource))
        rate = std::min(rate, levels_[use.resource] / (system_.tasks[task].weight * use.greatest));
    return rate;
  }

  // Fills the resource: tasks leave in the order of the level at which another limit stops them.
  void set_level(std::uint32_t resource, bool is_damped) {
    stops_.clear();
    double slope = 0;
    for (const Part& part : parts_[resource]) {
      const double rate = rate_without(part.task, resource);
      stops_.push_back({rate * part.share, part.total * rate, part.total / part.share});
      slope += part.total / part.share;
    }
    std::sort(stops_.begin(), stops_.end(), [](const Stop& a, const Stop& b) { return a.level < b.level; });
    double remaining = system_.resources[resource].capacity, level = unbounded;
    for (const Stop& stop : stops_) {
      if (remaining <= stop.level * slope) {
        level = std::max(remaining, 0.0) / slope;
        break;
      }
      remaining -= stop.load;
      slope -= stop.slope;
    }
    double& known = levels_[resource];
    if (is_damped && level < unbounded && known < unbounded) level = std::sqrt(level * known);
    known = level;
  }

  void find_limits() {
    limits_.assign(system_.tasks.size(), ParallelRates::by_bound);
    for (std::uint32_t t = 0; t < limits_.size(); ++t) {
      double rate = bounds_[t];
      for (const ParallelUse& use : system_.tasks[t].uses) {
        if (!is_divided(use.resource)) continue;
        const double allowed = levels_[use.resource] / (system_.tasks[t].weight * use.greatest);
        if (allowed < rate) {
          rate = allowed;
          limits_[t] = use.resource;
        }
      }
    }
  }

  // The levels at which the current limits hold back the tasks. False if these are not fair.
  bool solve_exactly() {
    std::vector<std::uint32_t> row(levels_.size(), ~0u), full;
    for (const std::uint32_t limit : limits_) {
      if (limit == ParallelRates::by_bound || row[limit] != ~0u) continue;
      row[limit] = static_cast<std::uint32_t>(full.size());
      full.push_back(limit);
    }
    LinearSystem equations(full.size());
    for (std::uint32_t i = 0; i < full.size(); ++i) {
      equations.right(i) = system_.resources[full[i]].capacity;
      for (const Part& part : parts_[full[i]]) {
        const std::uint32_t limit = limits_[part.task];
        if (limit == ParallelRates::by_bound) equations.right(i) -= part.total * bounds_[part.task];
        else equations.at(i, row[limit]) += part.total / share(part.task, limit);
      }
    }
    if (!equations.solve()) return false;
    rates_ = bounds_;
    for (std::uint32_t t = 0; t < limits_.size(); ++t)
      if (limits_[t] != ParallelRates::by_bound) rates_[t] = equations.right(row[limits_[t]]) / share(t, limits_[t]);
    return is_bottleneck_max_fair(system_, rates_, rate_tolerance);
  }

  double share(std::uint32_t task, std::uint32_t resource) const {
    for (const ParallelUse& use : system_.tasks[task].uses)
      if (use.resource == resource) return system_.tasks[task].weight * use.greatest;
    return 0;
  }

  struct Stop {
    double level = 0;
    double load = 0;
    double slope = 0;
  };

  const ParallelSystem& system_;
  std::vector<double> bounds_;
  std::vector<std::vector<Part>> parts_;  // by resource
  std::vector<double> levels_;
  std::vector<std::uint32_t> limits_;
  std::vector<double> rates_;
  std::vector<Stop> stops_;
};

ParallelRates dominant_share_rates(const ParallelSystem& system) {
  const std::vector<double> bounds = bounds_of(system);
  ProgressiveFilling filling;
  for (const ParallelSystem::Resource& resource : system.resources) filling.add_resource(resource.capacity);
  const auto is_divided = [&](const ParallelUse& use) {
    const ParallelSystem::Resource& resource = system.resources[use.resource];
    return resource.division == Division::shared && resource.capacity > 0;
  };
  for (std::size_t t = 0; t < system.tasks.size(); ++t) {
    double weight = 0;
    for (const ParallelUse& use : system.tasks[t].uses)
      if (is_divided(use))
        weight = std::max(weight, system.tasks[t].weight * use.greatest / system.resources[use.resource].capacity);
    filling.add_flow(weight > 0 ? weight : 1, bounds[t]);
    for (const ParallelUse& use : system.tasks[t].uses)
      if (is_divided(use)) filling.add_use(use.resource, use.total);
  }
  filling.solve();
  ParallelRates result;
  result.is_fair = false;
  for (std::uint32_t t = 0; t < system.tasks.size(); ++t) {
    result.rates.push_back(filling.rate(t));
    result.limits.push_back(filling.limit(t));
  }
  return result;
}

}  // namespace

ParallelRates bottleneck_max_fair_rates(const ParallelSystem& system) { return bottleneck_max_fair_rates(system, 400); }

ParallelRates bottleneck_max_fair_rates(const ParallelSystem& system, int most_sweeps) {
  BottleneckMaxFairness fairness(system);
  return fairness.run(most_sweeps) ? fairness.result() : dominant_share_rates(system);
}

bool is_bottleneck_max_fair(const ParallelSystem& system, const std::vector<double>& rates, double rate_tolerance) {
  std::vector<double> loads(system.resources.size()), greatest(system.resources.size());
  for (std::size_t t = 0; t < rates.size(); ++t) {
    if (!(rates[t] >= 0) || rates[t] > system.tasks[t].bound * (1 + rate_tolerance)) return false;
    for (const ParallelUse& use : system.tasks[t].uses) {
      const bool is_shared = system.resources[use.resource].division == Division::shared;
      double& load = loads[use.resource];
      load = is_shared ? load + use.total * rates[t] : std::max(load, use.greatest * rates[t]);
      double& share = greatest[use.resource];
      share = std::max(share, system.tasks[t].weight * use.greatest * rates[t]);
    }
  }
  for (std::size_t r = 0; r < loads.size(); ++r)
    if (loads[r] > system.resources[r].capacity * (1 + rate_tolerance)) return false;
  for (std::size_t t = 0; t < rates.size(); ++t) {
    const ParallelSystem::Task& task = system.tasks[t];
    bool is_held = rates[t] >= task.bound * (1 - rate_tolerance);
    for (const ParallelUse& use : task.uses) {
      const ParallelSystem::Resource& resource = system.resources[use.resource];
      const double used = use.greatest * rates[t];
      is_held |= resource.division == Division::fatpipe
                     ? used >= resource.capacity * (1 - rate_tolerance)
                     : loads[use.resource] >= resource.capacity * (1 - rate_tolerance) &&
                           task.weight * used >= greatest[use.resource] * (1 - rate_tolerance);
    }
    if (!is_held) return false;
  }
  return true;
}

}  // namespace rehearse::sharing
