// SPDX-License-Identifier: MIT
//
// Max-min fair sharing that follows changes; see the header.
//
// The level of a resource r is the L with sum over its bundles of load * min(L, e) = capacity. Here e is the lowest
// level that the bundle's bound and its other resources allow. Levels that fulfil this for every resource at once are
// the max-min fair ones.
#include "simcore/sharing/fair_sharing.hpp"

#include <algorithm>
#include <cmath>

#include "simcore/support/assert.hpp"

namespace rehearse::sharing {

namespace {

// Levels that differ by less are the same.
constexpr double tolerance = 1e-12;

// Counts as infinite: a resource that holds a bundle back needs a finite level.
constexpr double greatest_capacity = 1e250;

bool is_below(double a, double b) { return a < b * (1 - tolerance); }

bool is_same(double a, double b) { return a == b || std::fabs(a - b) <= tolerance * std::min(a, b); }

// Below this load a resource is not full. The sum is computed again when it comes nearer to the capacity, long before
// rounding could matter. The load of a fatpipe is not tracked.
double safe_load(double capacity, Division division) {
  return division == Division::shared ? capacity * (1 - 1e-6) : 0;
}

}  // namespace

ResourceIndex FairSharing::add_resource(double capacity, Division division) {
  REHEARSE_ASSERT(capacity >= 0, "a resource has a capacity");
  capacity = std::min(capacity, greatest_capacity);
  levels_.push_back(unbounded);
  loads_.push_back(0);
  limits_.push_back(safe_load(capacity, division));
  queue_.add_thing();
  marks_.emplace_back();
  return table_.add_resource(capacity, division);
}

void FairSharing::set_capacity(ResourceIndex resource, double capacity) {
  REHEARSE_ASSERT(capacity >= 0, "a resource has a capacity");
  capacity = std::min(capacity, greatest_capacity);
  if (table_.resource(resource).capacity == capacity) return;
  table_.set_capacity(resource, capacity);
  limits_[resource] = safe_load(capacity, table_.resource(resource).division);
  touch(resource);
}

BundleIndex FairSharing::add_bundle(double weight, double bound, std::span<const Use> uses) {
  REHEARSE_ASSERT(weight > 0 && bound >= 0, "a flow has a weight and a bound");
  REHEARSE_ASSERT(!uses.empty() || bound < unbounded, "something limits the flow");
  const BundleIndex index = table_.add_bundle(weight, bound, uses);
  if (index >= bundle_marks_.size()) bundle_marks_.resize(index + 1);
  fresh_.push_back(index);
  return index;
}

void FairSharing::set_count(BundleIndex bundle, std::uint32_t count) {
  if (table_.bundle(bundle).limit != LoadTable::nowhere) touch_all(bundle);
  if (count > 0) {
    table_.set_count(bundle, count);
    return;
  }
  if (table_.bundle(bundle).limit == LoadTable::nowhere) std::erase(fresh_, bundle);
  table_.remove_bundle(bundle);
}

double FairSharing::usage(ResourceIndex index) const {
  const LoadTable::Resource& resource = table_.resource(index);
  if (resource.division == Division::fatpipe) {
    double greatest = 0;
    table_.for_each_crossing_of(index, [&](const LoadTable::Crossing& crossing) {
      greatest = std::max(greatest, crossing.coefficient * rate(crossing.bundle));
    });
    return greatest;
  }
  double sum = resource.bounded_load;
  if (resource.own_load > 0) sum += resource.own_load * levels_[index];
  for (const LoadTable::In& in : resource.in) sum += in.load * levels_[in.pool];
  return sum;
}

void FairSharing::touch(ResourceIndex resource) {
  if (marks_[resource].is_dirty) return;
  marks_[resource].is_dirty = true;
  dirty_.push_back(resource);
}

void FairSharing::touch_all(BundleIndex bundle) {
  for (const LoadTable::Crossing& crossing : table_.crossings(bundle)) touch(crossing.resource);
}

void FairSharing::solve() {
  moved_.clear();
  relevelled_.clear();
  visited_.clear();
  if (fresh_.empty() && dirty_.empty()) return;
  ++solve_number_;
  visits_ = 0;
  const bool is_mass = fresh_.size() >= 32 && 4 * fresh_.size() >= table_.bundles();
  place_fresh();
  for (const ResourceIndex resource : dirty_) {
    marks_[resource].is_dirty = false;
    queue_.push(resource, is_mass ? 0 : std::min(levels_[resource], root(resource).level));
  }
  dirty_.clear();
  if (is_mass) fill();
  ResourceIndex resource = 0;
  while (queue_.pop(resource)) {
    note_visit(resource);
    const bool is_restless = ++visits_ > 64 + 8 * visited_.size();
    if (is_restless || table_.resource(resource).division == Division::fatpipe) {
      queue_.push(resource, 0);
      fill();
    } else {
      visit(resource);
    }
  }
}

// A new bundle starts at the limit that it would have if it changed no level.
void FairSharing::place_fresh() {
  for (const BundleIndex index : fresh_) {
    const LoadTable::Bundle& bundle = table_.bundle(index);
    ResourceIndex limit = by_bound;
    double level = bundle.bound_level;
    for (const LoadTable::Crossing& crossing : table_.crossings(index)) {
      if (levels_[crossing.resource] < level) {
        limit = crossing.resource;
        level = levels_[limit];
      }
    }
    if (level == unbounded) limit = table_.crossings(index).front().resource;
    move(index, limit);
    touch_all(index);
  }
  fresh_.clear();
}

void FairSharing::note_visit(ResourceIndex resource) {
  if (marks_[resource].visited == solve_number_) return;
  marks_[resource].visited = solve_number_;
  visited_.push_back(resource);
}

void FairSharing::visit(ResourceIndex index) {
  visiting_ = index;
  const double level = level_now(index), old = levels_[index];
  visiting_ = LoadTable::nowhere;
  if (is_same(level, old)) return;
  set_level(index, level);
  const double lowest = std::min(level, old), change = level - old;
  for (const LoadTable::Out& out : table_.resource(index).out) {
    const double other = levels_[out.resource];
    if (other > lowest && !may_stay(out.resource, out.load * change) && !queue_.contains(out.resource))
      queue_.push(out.resource, other);
  }
}

// Whether a resource that limits no flow still limits none with a changed load.
bool FairSharing::may_stay(ResourceIndex index, double change) {
  if (levels_[index] != unbounded) return false;
  loads_[index] += change;
  return loads_[index] < limits_[index];
}

// The level that the levels around it allow, after the bundles that this level moves have moved.
double FairSharing::level_now(ResourceIndex index) {
  while (true) {
    const Root found = root(index);
    // If the level does not rise, no resource around is lower: it would have captured bundles of this pool.
    if (found.level > levels_[index] && (release_bound(index, found.level) || release_held(index, found.level)))
      continue;
    if (capture_bounded(index, found.level)) continue;
    if (found.is_passed) capture_faster(index, found.level);
    return found.level;
  }
}

// Newton's method on a concave function of straight pieces. From the second step on it comes from below, so it never
// returns to a piece.
FairSharing::Root FairSharing::root(ResourceIndex index) {
  const LoadTable::Resource& resource = table_.resource(index);
  double level = levels_[index];
  for (bool is_first = true;; is_first = false) {
    double fixed = resource.bounded_load, load = resource.own_load;
    double highest_below = 0, lowest_above = unbounded;
    bool is_passed = false;
    for (const LoadTable::In& in : resource.in) {
      const double other = levels_[in.pool];
      if (other > level) {
        load += in.load;
        lowest_above = std::min(lowest_above, other);
        is_passed = true;
      } else {
        fixed += in.load * other;
        highest_below = std::max(highest_below, other);
      }
    }
    if (load == 0) {
      loads_[index] = fixed;
      if (fixed <= resource.capacity * (1 + tolerance)) return {unbounded, false};
      if (level == 0) return {0, false};
      level = 0;
      continue;
    }
    const double next = std::max((resource.capacity - fixed) / load, 0.0);
    if (highest_below <= next && next <= lowest_above) return {next, is_passed};
    if (next == level || (!is_first && next < level)) return {level, is_passed};
    level = next;
  }
}

// A bundle of the pool that reaches its bound first.
bool FairSharing::release_bound(ResourceIndex index, double level) {
  if (!is_below(table_.resource(index).lowest_bound, level)) return false;
  const LoadTable::BoundEntry* lowest = table_.lowest_own_bound(index);
  if (!lowest || !is_below(lowest->level, level)) return false;
  move(lowest->bundle, by_bound);
  return true;
}

// Bundles of the pool that another resource holds back more.
bool FairSharing::release_held(ResourceIndex index, double level) {
  const LoadTable::Out* lowest = nullptr;
  for (const LoadTable::Out& out : table_.resource(index).out)
    if (is_below(levels_[out.resource], lowest ? levels_[lowest->resource] : level)) lowest = &out;
  if (!lowest) return false;
  const ResourceIndex holder = lowest->resource;
  const std::uint32_t edge = lowest->edge;
  for (std::uint32_t remaining = table_.bundles_on(edge); remaining > 0; --remaining)
    move(table_.bundle_on(edge), holder);
  return true;
}

// A bundle at its bound, which the resource no longer allows it to reach.
bool FairSharing::capture_bounded(ResourceIndex index, double level) {
  const LoadTable::BoundEntry* highest = table_.highest_bounded(index);
  if (!highest || !is_below(level, highest->level)) return false;
  move(highest->bundle, index);
  return true;
}

// Bundles of other pools with higher levels.
void FairSharing::capture_faster(ResourceIndex index, double level) {
  edges_.clear();
  for (const LoadTable::In& in : table_.resource(index).in)
    if (is_below(level, levels_[in.pool])) edges_.push_back(in.edge);
  for (const std::uint32_t edge : edges_)
    for (std::uint32_t remaining = table_.bundles_on(edge); remaining > 0; --remaining)
      move(table_.bundle_on(edge), index);
}

// The resources that the bundle crosses must be visited again.
void FairSharing::move(BundleIndex bundle, ResourceIndex limit) {
  const double before = level_of(bundle);
  table_.move(bundle, limit);
  const LoadTable::Bundle& moved = table_.bundle(bundle);
  const double change = (level_of(bundle) - before) * moved.count / moved.weight;
  if (bundle_marks_[bundle].moved != solve_number_) moved_.push_back(bundle);
  bundle_marks_[bundle].moved = solve_number_;
  for (const LoadTable::Crossing& crossing : table_.crossings(bundle))
    if (crossing.resource != visiting_ && !may_stay(crossing.resource, change * crossing.coefficient))
      queue_.push(crossing.resource, levels_[crossing.resource]);
}

// weight*rate of the bundle at its current limit.
double FairSharing::level_of(BundleIndex index) const {
  const LoadTable::Bundle& bundle = table_.bundle(index);
  if (bundle.limit == LoadTable::nowhere) return 0;
  return bundle.limit == by_bound ? bundle.bound_level : levels_[bundle.limit];
}

void FairSharing::set_level(ResourceIndex resource, double level) {
  levels_[resource] = level;
  if (marks_[resource].relevelled != solve_number_) relevelled_.push_back(resource);
  marks_[resource].relevelled = solve_number_;
}

void FairSharing::collect(ResourceIndex resource) {
  Mark& mark = marks_[resource];
  if (mark.collected == collection_) return;
  mark.collected = collection_;
  mark.local = static_cast<std::uint32_t>(part_.size());
  part_.push_back(resource);
}

// Solves the parts that are connected with queued resources from scratch. The queue is empty afterwards.
void FairSharing::fill() {
  ++collection_;
  part_.clear();
  part_bundles_.clear();
  filling_.clear();
  for (ResourceIndex index = 0; queue_.pop(index);) collect(index);
  for (std::size_t i = 0; i < part_.size(); ++i) {
    table_.for_each_crossing_of(part_[i], [&](const LoadTable::Crossing& crossing) {
      if (bundle_marks_[crossing.bundle].collected == collection_) return;
      bundle_marks_[crossing.bundle].collected = collection_;
      part_bundles_.push_back(crossing.bundle);
      for (const LoadTable::Crossing& other : table_.crossings(crossing.bundle)) collect(other.resource);
    });
  }
  for (const ResourceIndex index : part_) {
    const LoadTable::Resource& resource = table_.resource(index);
    filling_.add_resource(resource.capacity, resource.division);
    note_visit(index);
  }
  for (const BundleIndex index : part_bundles_) {
    const LoadTable::Bundle& bundle = table_.bundle(index);
    filling_.add_flow(bundle.weight, bundle.bound);
    // Each user of a fatpipe may use all of it, so the number of flows does not matter there.
    for (const LoadTable::Crossing& crossing : table_.crossings(index)) {
      const bool is_shared = table_.resource(crossing.resource).division == Division::shared;
      filling_.add_use(marks_[crossing.resource].local, (is_shared ? bundle.count : 1) * crossing.coefficient);
    }
  }
  filling_.solve();
  for (std::uint32_t i = 0; i < part_bundles_.size(); ++i) {
    const std::uint32_t local = filling_.limit(i);
    const ResourceIndex limit = local == ProgressiveFilling::by_bound ? by_bound : part_[local];
    if (table_.bundle(part_bundles_[i]).limit != limit) move(part_bundles_[i], limit);
  }
  for (ResourceIndex index = 0; queue_.pop(index);) continue;
  for (std::uint32_t i = 0; i < part_.size(); ++i)
    if (filling_.level(i) != levels_[part_[i]]) set_level(part_[i], filling_.level(i));
  for (const ResourceIndex index : part_)
    if (levels_[index] == unbounded) loads_[index] = usage(index);
}

}  // namespace rehearse::sharing
