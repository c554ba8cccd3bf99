// SPDX-License-Identifier: MIT
//
// Progressive filling; see the header.
#include "simcore/sharing/progressive_filling.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "simcore/support/assert.hpp"

namespace rehearse::sharing {

void ProgressiveFilling::clear() {
  resources_.clear();
  flows_.clear();
  crossings_.clear();
}

std::uint32_t ProgressiveFilling::add_resource(double capacity, Division division) {
  Resource& resource = resources_.emplace_back();
  resource.capacity = capacity;
  resource.division = division;
  return static_cast<std::uint32_t>(resources_.size() - 1);
}

std::uint32_t ProgressiveFilling::add_flow(double weight, double bound) {
  Flow& flow = flows_.emplace_back();
  flow.weight = weight;
  flow.bound = bound;
  flow.first = static_cast<std::uint32_t>(crossings_.size());
  return static_cast<std::uint32_t>(flows_.size() - 1);
}

void ProgressiveFilling::add_use(std::uint32_t resource, double coefficient) {
  crossings_.push_back({resource, static_cast<std::uint32_t>(flows_.size() - 1), coefficient});
  ++resources_[resource].users;
  resources_[resource].load += coefficient / flows_.back().weight;
}

void ProgressiveFilling::list_users() {
  std::uint32_t first = 0;
  for (Resource& resource : resources_) {
    resource.first = first;
    first += resource.users;
    resource.unfixed = resource.users;
    resource.recompute = resource.users / 2;
    resource.remaining = resource.capacity;
    resource.users = 0;
  }
  users_.resize(crossings_.size());
  for (std::uint32_t i = 0; i < crossings_.size(); ++i) {
    Resource& resource = resources_[crossings_[i].resource];
    users_[resource.first + resource.users++] = i;
  }
}

void ProgressiveFilling::recompute(Resource& resource) const {
  resource.remaining = resource.capacity;
  resource.load = 0;
  resource.unfixed = 0;
  for (std::uint32_t i = 0; i < resource.users; ++i) {
    const Crossing& crossing = crossings_[users_[resource.first + i]];
    const Flow& flow = flows_[crossing.flow];
    if (flow.is_fixed) {
      resource.remaining -= crossing.coefficient * flow.rate;
    } else {
      resource.load += crossing.coefficient / flow.weight;
      ++resource.unfixed;
    }
  }
  resource.remaining = std::max(resource.remaining, 0.0);
  resource.recompute = resource.unfixed / 2;
}

double ProgressiveFilling::level_of(const Resource& resource) const {
  if (resource.division == Division::shared) return resource.remaining / resource.load;
  double load = 0;
  for (std::uint32_t i = 0; i < resource.users; ++i) {
    const Crossing& crossing = crossings_[users_[resource.first + i]];
    const Flow& flow = flows_[crossing.flow];
    if (!flow.is_fixed) load = std::max(load, crossing.coefficient / flow.weight);
  }
  return resource.capacity / load;
}

void ProgressiveFilling::fix(std::uint32_t index, double rate, std::uint32_t limit) {
  Flow& flow = flows_[index];
  flow.rate = rate;
  flow.limit = limit;
  flow.is_fixed = true;
  const std::size_t end = index + 1 < flows_.size() ? flows_[index + 1].first : crossings_.size();
  for (std::size_t i = flow.first; i < end; ++i) {
    const Crossing& crossing = crossings_[i];
    Resource& resource = resources_[crossing.resource];
    resource.remaining = std::max(resource.remaining - crossing.coefficient * rate, 0.0);
    resource.load -= crossing.coefficient / flow.weight;
    resource.is_changed = true;
    if (--resource.unfixed > 0 && resource.unfixed <= resource.recompute) recompute(resource);
  }
}

void ProgressiveFilling::fix_users(std::uint32_t index, double level) {
  Resource& resource = resources_[index];
  resource.level = level;
  for (std::uint32_t i = 0; i < resource.users; ++i) {
    const std::uint32_t flow = crossings_[users_[resource.first + i]].flow;
    if (!flows_[flow].is_fixed) fix(flow, level / flows_[flow].weight, index);
  }
}

// Of a small system: the levels of all resources are looked at each time.
void ProgressiveFilling::solve_small() {
  std::size_t open = flows_.size();  // those that are not fixed
  for (Resource& resource : resources_) resource.is_changed = true;
  std::size_t bound = 0;
  while (open > 0) {
    while (bound < bound_levels_.size() && flows_[bound_levels_[bound].second].is_fixed) ++bound;
    double least = unbounded;
    std::uint32_t first = by_bound;
    for (std::uint32_t i = 0; i < resources_.size(); ++i) {
      Resource& resource = resources_[i];
      if (resource.unfixed == 0) continue;
      if (std::exchange(resource.is_changed, false)) resource.next_level = level_of(resource);
      if (resource.next_level >= least && first != by_bound) continue;
      least = resource.next_level;
      first = i;
    }
    const bool has_bound = bound < bound_levels_.size();
    if (!has_bound && first == by_bound) break;
    if (has_bound && (first == by_bound || bound_levels_[bound].first < least)) {
      const std::uint32_t flow = bound_levels_[bound].second;
      fix(flow, flows_[flow].bound, by_bound);
      --open;
    } else {
      open -= resources_[first].unfixed;
      fix_users(first, least);
    }
  }
}

// Raises weight*rate of all flows together; a flow that reaches its bound or a full resource stays there.
void ProgressiveFilling::solve() {
  list_users();
  bound_levels_.clear();
  for (std::uint32_t i = 0; i < flows_.size(); ++i)
    if (flows_[i].bound < unbounded) bound_levels_.push_back({flows_[i].bound * flows_[i].weight, i});
  if (bound_levels_.size() > 1) std::sort(bound_levels_.begin(), bound_levels_.end());
  if (resources_.size() <= small_system) solve_small();
  else solve_large();
  for (const Flow& flow : flows_) REHEARSE_ASSERT(flow.is_fixed, "a bound or a resource limits every flow");
}

void ProgressiveFilling::solve_large() {
  resource_levels_.clear();
  for (std::uint32_t i = 0; i < resources_.size(); ++i) {
    if (resources_[i].users == 0) continue;
    resource_levels_.push_back({level_of(resources_[i]), i});
  }
  const std::greater<Level> later;
  std::make_heap(resource_levels_.begin(), resource_levels_.end(), later);
  std::size_t bound = 0;
  while (true) {
    while (bound < bound_levels_.size() && flows_[bound_levels_[bound].second].is_fixed) ++bound;
    const bool has_bound = bound < bound_levels_.size();
    if (!has_bound && resource_levels_.empty()) break;
    if (has_bound && (resource_levels_.empty() || bound_levels_[bound].first < resource_levels_.front().first)) {
      const std::uint32_t flow = bound_levels_[bound].second;
      fix(flow, flows_[flow].bound, by_bound);
      continue;
    }
    std::pop_heap(resource_levels_.begin(), resource_levels_.end(), later);
    const Level known = resource_levels_.back();
    resource_levels_.pop_back();
    if (resources_[known.second].unfixed == 0) continue;
    const double level = level_of(resources_[known.second]);
    if (level > known.first) {
      resource_levels_.push_back({level, known.second});
      std::push_heap(resource_levels_.begin(), resource_levels_.end(), later);
    } else {
      fix_users(known.second, level);
    }
  }
}

}  // namespace rehearse::sharing
