// SPDX-License-Identifier: MIT
//
// Bundles, crossings and edges; see the header.
#include "simcore/sharing/load_table.hpp"

#include <algorithm>
#include <cmath>

#include "simcore/support/assert.hpp"

namespace rehearse::sharing {

namespace {

using BoundEntry = LoadTable::BoundEntry;

bool lowest_first(const BoundEntry& a, const BoundEntry& b) { return a.level > b.level; }
bool highest_first(const BoundEntry& a, const BoundEntry& b) { return a.level < b.level; }

using Order = bool(const BoundEntry&, const BoundEntry&);

// Adds an entry; removes entries that are out of date once they are the majority.
template <typename IsCurrent>
void push_bound(std::vector<BoundEntry>& heap, const BoundEntry& entry, Order* order, std::uint32_t live,
                const IsCurrent& is_current) {
  if (heap.size() > 2 * std::size_t{live} + 16) {
    std::erase_if(heap, [&](const BoundEntry& e) { return !is_current(e); });
    std::make_heap(heap.begin(), heap.end(), order);
  }
  heap.push_back(entry);
  std::push_heap(heap.begin(), heap.end(), order);
}

template <typename IsCurrent>
const BoundEntry* top_bound(std::vector<BoundEntry>& heap, Order* order, const IsCurrent& is_current) {
  while (!heap.empty() && !is_current(heap.front())) {
    std::pop_heap(heap.begin(), heap.end(), order);
    heap.pop_back();
  }
  return heap.empty() ? nullptr : &heap.front();
}

}  // namespace

ResourceIndex LoadTable::add_resource(double capacity, Division division) {
  Resource& resource = resources_.emplace_back();
  resource.capacity = capacity;
  resource.division = division;
  return static_cast<ResourceIndex>(resources_.size() - 1);
}

BundleIndex LoadTable::add_bundle(double weight, double bound, std::span<const Use> uses) {
  if (free_bundles_.empty()) {
    free_bundles_.push_back(static_cast<BundleIndex>(bundles_.size()));
    bundles_.emplace_back();
  }
  const BundleIndex index = free_bundles_.back();
  free_bundles_.pop_back();
  const auto size = static_cast<std::uint32_t>(uses.size());
  if (size >= free_crossings_.size()) free_crossings_.resize(size + 1);
  std::uint32_t first = static_cast<std::uint32_t>(crossings_.size());
  if (free_crossings_[size].empty()) {
    crossings_.resize(crossings_.size() + size);
  } else {
    first = free_crossings_[size].back();
    free_crossings_[size].pop_back();
  }
  for (std::uint32_t i = 0; i < size; ++i)
    crossings_[first + i] = {uses[i].coefficient, uses[i].resource, index, none, none, none};
  const std::uint32_t stamp = bundles_[index].stamp + 1;
  bundles_[index] = {weight, bound, weight * bound, 1, nowhere, stamp, first, size};
  ++live_bundles_;
  return index;
}

void LoadTable::remove_bundle(BundleIndex index) {
  Bundle& bundle = bundles_[index];
  if (bundle.limit != nowhere)
    for (std::uint32_t i = 0; i < bundle.size; ++i) unlink(bundle.first + i);
  free_crossings_[bundle.size].push_back(bundle.first);
  free_bundles_.push_back(index);
  bundle.count = 0;
  ++bundle.stamp;
  --live_bundles_;
}

double LoadTable::term(const Crossing& crossing, ResourceIndex pool) const {
  const Bundle& bundle = bundles_[crossing.bundle];
  const double used = bundle.count * crossing.coefficient;
  return pool == by_bound ? used * bundle.bound : used / bundle.weight;
}

void LoadTable::set_count(BundleIndex index, std::uint32_t count) {
  Bundle& bundle = bundles_[index];
  if (bundle.limit == nowhere) {
    bundle.count = count;
    return;
  }
  const double change = static_cast<double>(count) - static_cast<double>(bundle.count);
  const double per_flow = bundle.limit == by_bound ? bundle.bound : 1 / bundle.weight;
  bundle.count = count;
  for (const Crossing& crossing : crossings(index)) add_load(crossing.edge, change * crossing.coefficient * per_flow);
}

void LoadTable::move(BundleIndex index, ResourceIndex limit) {
  Bundle& bundle = bundles_[index];
  if (bundle.limit != nowhere)
    for (std::uint32_t i = 0; i < bundle.size; ++i) unlink(bundle.first + i);
  bundle.limit = limit;
  ++bundle.stamp;
  for (std::uint32_t i = 0; i < bundle.size; ++i) link(bundle.first + i, limit);
  if (bundle.bound_level == unbounded) return;
  const auto current = [this](const BoundEntry& entry) { return is_current(entry); };
  const BoundEntry entry{bundle.bound_level, index, bundle.stamp};
  if (limit != by_bound) {
    Resource& pool = resources_[limit];
    push_bound(pool.own_bounds, entry, lowest_first, edges_[pool.own].count, current);
    pool.lowest_bound = std::min(pool.lowest_bound, entry.level);
    return;
  }
  for (const Crossing& crossing : crossings(index)) {
    Resource& resource = resources_[crossing.resource];
    push_bound(resource.bounded_bounds, entry, highest_first, edges_[resource.bounded].count, current);
  }
}

const LoadTable::BoundEntry* LoadTable::lowest_own_bound(ResourceIndex resource) {
  Resource& pool = resources_[resource];
  const BoundEntry* lowest =
      top_bound(pool.own_bounds, lowest_first, [this](const auto& entry) { return is_current(entry); });
  pool.lowest_bound = lowest ? lowest->level : unbounded;
  return lowest;
}

const LoadTable::BoundEntry* LoadTable::highest_bounded(ResourceIndex resource) {
  return top_bound(resources_[resource].bounded_bounds, highest_first,
                   [this](const BoundEntry& entry) { return is_current(entry); });
}

std::uint32_t LoadTable::edge_of(ResourceIndex resource, ResourceIndex pool) {
  Resource& on = resources_[resource];
  std::uint32_t index = pool == by_bound ? on.bounded : pool == resource ? on.own : edge_by_ends_.find(resource, pool);
  if (index != none) return index;
  if (free_edges_.empty()) {
    free_edges_.push_back(static_cast<std::uint32_t>(edges_.size()));
    edges_.emplace_back();
  }
  index = free_edges_.back();
  free_edges_.pop_back();
  Edge& edge = edges_[index] = {};
  edge.resource = resource;
  edge.pool = pool;
  if (pool == by_bound) {
    on.bounded = index;
  } else if (pool == resource) {
    on.own = index;
  } else {
    edge.in_place = static_cast<std::uint32_t>(on.in.size());
    on.in.push_back({0, pool, index});
    Resource& from = resources_[pool];
    edge.out_place = static_cast<std::uint32_t>(from.out.size());
    from.out.push_back({0, resource, index});
    edge_by_ends_.insert(resource, pool, index);
  }
  return index;
}

void LoadTable::remove_edge(std::uint32_t index) {
  const Edge& edge = edges_[index];
  Resource& on = resources_[edge.resource];
  if (edge.pool == by_bound) {
    on.bounded = none;
    on.bounded_load = 0;
    on.bounded_bounds.clear();
  } else if (edge.pool == edge.resource) {
    on.own = none;
    on.own_load = 0;
    on.own_bounds.clear();
    on.lowest_bound = unbounded;
  } else {
    on.in[edge.in_place] = on.in.back();
    edges_[on.in.back().edge].in_place = edge.in_place;
    on.in.pop_back();
    Resource& from = resources_[edge.pool];
    from.out[edge.out_place] = from.out.back();
    edges_[from.out.back().edge].out_place = edge.out_place;
    from.out.pop_back();
    edge_by_ends_.erase(edge.resource, edge.pool);
  }
  free_edges_.push_back(index);
}

void LoadTable::link(std::uint32_t index, ResourceIndex pool) {
  const std::uint32_t edge_index = edge_of(crossings_[index].resource, pool);
  Crossing& crossing = crossings_[index];
  Edge& edge = edges_[edge_index];
  crossing.edge = edge_index;
  crossing.previous = none;
  crossing.next = edge.first;
  if (edge.first != none) crossings_[edge.first].previous = index;
  edge.first = index;
  ++edge.count;
  add_load(edge_index, term(crossing, pool));
}

void LoadTable::unlink(std::uint32_t index) {
  Crossing& crossing = crossings_[index];
  const std::uint32_t edge_index = crossing.edge;
  Edge& edge = edges_[edge_index];
  if (crossing.next != none) crossings_[crossing.next].previous = crossing.previous;
  if (crossing.previous != none) crossings_[crossing.previous].next = crossing.next;
  if (edge.first == index) edge.first = crossing.next;
  crossing.edge = none;
  if (--edge.count == 0) remove_edge(edge_index);
  else add_load(edge_index, -term(crossing, edge.pool));
}

void LoadTable::add_load(std::uint32_t index, double change) {
  constexpr double rounding = 2.3e-16, allowed = 2e-13;
  Edge& edge = edges_[index];
  edge.error += rounding * (std::fabs(edge.load) + std::fabs(change));
  edge.load += change;
  if (edge.error > allowed * edge.load) {
    edge.load = 0;
    for_each_crossing(index, [&](const Crossing& c) { edge.load += term(c, edge.pool); });
    edge.error = rounding * edge.load;
  }
  Resource& on = resources_[edge.resource];
  if (edge.pool == by_bound) on.bounded_load = edge.load;
  else if (edge.pool == edge.resource) on.own_load = edge.load;
  else on.in[edge.in_place].load = resources_[edge.pool].out[edge.out_place].load = edge.load;
}

}  // namespace rehearse::sharing
