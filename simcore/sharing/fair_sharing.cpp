// SPDX-License-Identifier: MIT
//
// Weighted max-min fair sharing by progressive filling; see the header.
#include "simcore/sharing/fair_sharing.hpp"

#include <algorithm>
#include <functional>

#include "simcore/support/assert.hpp"

namespace rehearse::sharing {

ResourceIndex FairSharing::add_resource(double capacity, Division division) {
  REHEARSE_ASSERT(capacity >= 0, "a resource has a capacity");
  Resource& resource = resources_.emplace_back();
  resource.capacity = capacity;
  resource.division = division;
  return static_cast<ResourceIndex>(resources_.size() - 1);
}

void FairSharing::set_capacity(ResourceIndex index, double capacity) {
  REHEARSE_ASSERT(capacity >= 0, "a resource has a capacity");
  if (resources_[index].capacity == capacity) return;
  resources_[index].capacity = capacity;
  dirty_resources_.push_back(index);
}

double FairSharing::usage(ResourceIndex index) const {
  const Resource& resource = resources_[index];
  double sum = 0, greatest = 0;
  for (const User& user : resource.users) {
    const Flow& flow = flows_[user.flow];
    const double used = flow.crossings[user.crossing].coefficient * flow.rate;
    sum += used;
    greatest = std::max(greatest, used);
  }
  return resource.division == Division::shared ? sum : greatest;
}

FlowIndex FairSharing::add_flow(double weight, double bound, std::span<const Use> uses) {
  REHEARSE_ASSERT(weight > 0 && bound >= 0, "a flow has a weight and a bound");
  REHEARSE_ASSERT(!uses.empty() || bound < unbounded, "something limits the flow");
  if (free_.empty()) {
    free_.push_back(static_cast<FlowIndex>(flows_.size()));
    flows_.emplace_back();
  }
  const FlowIndex index = free_.back();
  free_.pop_back();
  Flow& flow = flows_[index];
  flow.weight = weight;
  flow.bound = bound;
  flow.rate = 0;
  flow.is_fixed = flow.is_gone = false;
  flow.crossings.clear();
  for (const Use& use : uses) {
    Resource& resource = resources_[use.resource];
    const auto place = static_cast<std::uint32_t>(resource.users.size());
    resource.users.push_back({index, static_cast<std::uint32_t>(flow.crossings.size())});
    flow.crossings.push_back({use.resource, use.coefficient, place});
  }
  dirty_flows_.push_back(index);
  return index;
}

void FairSharing::remove_flow(FlowIndex index) {
  Flow& flow = flows_[index];
  for (const Crossing& crossing : flow.crossings) {
    Resource& resource = resources_[crossing.resource];
    const User last = resource.users.back();
    resource.users[crossing.place] = last;
    flows_[last.flow].crossings[last.crossing].place = crossing.place;
    resource.users.pop_back();
    dirty_resources_.push_back(crossing.resource);
  }
  flow.crossings.clear();
  flow.is_fixed = true;
  flow.is_gone = true;
  free_.push_back(index);
}

std::span<const FlowIndex> FairSharing::solve() {
  component_.clear();
  component_resources_.clear();
  if (dirty_flows_.empty() && dirty_resources_.empty()) return {};
  ++solve_number_;
  collect_component();
  dirty_flows_.clear();
  dirty_resources_.clear();
  if (component_.size() == 1)
    solve_alone(flows_[component_.front()]);
  else if (!component_.empty())
    fill();
  return component_;
}

void FairSharing::solve_alone(Flow& flow) {
  flow.rate = flow.bound;
  flow.limit = by_bound;
  flow.is_fixed = true;
  for (const Crossing& crossing : flow.crossings) {
    const double share = resources_[crossing.resource].capacity / crossing.coefficient;
    if (share < flow.rate) {
      flow.rate = share;
      flow.limit = crossing.resource;
    }
  }
}

// All flows and resources that are connected with a dirty one.
void FairSharing::collect_component() {
  const auto visit_flow = [this](FlowIndex index) {
    Flow& flow = flows_[index];
    if (flow.seen == solve_number_ || flow.is_gone) return;
    flow.seen = solve_number_;
    component_.push_back(index);
  };
  const auto visit_users = [&](ResourceIndex index) {
    Resource& resource = resources_[index];
    if (resource.seen == solve_number_) return;
    resource.seen = solve_number_;
    component_resources_.push_back(index);
    for (const User& user : resource.users) visit_flow(user.flow);
  };
  for (const FlowIndex flow : dirty_flows_) visit_flow(flow);
  for (const ResourceIndex resource : dirty_resources_) visit_users(resource);
  for (std::size_t i = 0; i < component_.size(); ++i)
    for (const Crossing& crossing : flows_[component_[i]].crossings)
      visit_users(crossing.resource);
}

void FairSharing::recompute(Resource& resource) {
  resource.remaining = resource.capacity;
  resource.load = 0;
  resource.unfixed = 0;
  for (const User& user : resource.users) {
    const Flow& flow = flows_[user.flow];
    const double coefficient = flow.crossings[user.crossing].coefficient;
    if (flow.is_fixed) {
      resource.remaining -= coefficient * flow.rate;
    } else {
      resource.load += coefficient / flow.weight;
      ++resource.unfixed;
    }
  }
  resource.remaining = std::max(resource.remaining, 0.0);
  resource.recompute = resource.unfixed / 2;
}

double FairSharing::level_of(const Resource& resource) const {
  if (resource.division == Division::shared) return resource.remaining / resource.load;
  double load = 0;
  for (const User& user : resource.users) {
    const Flow& flow = flows_[user.flow];
    if (!flow.is_fixed)
      load = std::max(load, flow.crossings[user.crossing].coefficient / flow.weight);
  }
  return resource.capacity / load;
}

void FairSharing::fix(FlowIndex index, double rate, ResourceIndex limit) {
  Flow& flow = flows_[index];
  flow.rate = rate;
  flow.limit = limit;
  flow.is_fixed = true;
  for (const Crossing& crossing : flow.crossings) {
    Resource& resource = resources_[crossing.resource];
    resource.remaining = std::max(resource.remaining - crossing.coefficient * rate, 0.0);
    resource.load -= crossing.coefficient / flow.weight;
    if (--resource.unfixed > 0 && resource.unfixed <= resource.recompute) recompute(resource);
  }
}

void FairSharing::fix_users(ResourceIndex index, double level) {
  for (const User& user : resources_[index].users)
    if (!flows_[user.flow].is_fixed) fix(user.flow, level / flows_[user.flow].weight, index);
}

// Raises weight*rate of all flows together; who reaches a bound or a full resource stays there.
void FairSharing::fill() {
  resource_levels_.clear();
  bound_levels_.clear();
  for (const FlowIndex index : component_) {
    Flow& flow = flows_[index];
    flow.is_fixed = false;
    if (flow.bound < unbounded) bound_levels_.push_back({flow.bound * flow.weight, index});
  }
  for (const ResourceIndex index : component_resources_) {
    recompute(resources_[index]);
    resource_levels_.push_back({level_of(resources_[index]), index});
  }
  std::sort(bound_levels_.begin(), bound_levels_.end());
  const std::greater<Level> later;
  std::make_heap(resource_levels_.begin(), resource_levels_.end(), later);
  std::size_t next_bound = 0;
  while (true) {
    while (next_bound < bound_levels_.size() && flows_[bound_levels_[next_bound].second].is_fixed)
      ++next_bound;
    const bool has_bound = next_bound < bound_levels_.size();
    if (!has_bound && resource_levels_.empty()) break;
    if (has_bound && (resource_levels_.empty() ||
                      bound_levels_[next_bound].first < resource_levels_.front().first)) {
      const FlowIndex flow = bound_levels_[next_bound].second;
      fix(flow, flows_[flow].bound, by_bound);
      continue;
    }
    std::pop_heap(resource_levels_.begin(), resource_levels_.end(), later);
    const Level known = resource_levels_.back();
    resource_levels_.pop_back();
    const Resource& resource = resources_[known.second];
    if (resource.unfixed == 0) continue;
    const double level = level_of(resource);
    if (level > known.first) {
      resource_levels_.push_back({level, known.second});
      std::push_heap(resource_levels_.begin(), resource_levels_.end(), later);
    } else {
      fix_users(known.second, level);
    }
  }
}

}  // namespace rehearse::sharing
