// SPDX-License-Identifier: MIT
//
// Bundles, pools and their clocks; see the header.
#include "simcore/sharing/flow_progress.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "simcore/sharing/word_hash.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::sharing {

ResourceIndex FlowProgress::add_resource(double capacity, Division division) {
  pools_.emplace_back();
  return sharing_.add_resource(capacity, division);
}

void FlowProgress::set_capacity(ResourceIndex resource, double capacity) {
  sharing_.set_capacity(resource, capacity);
  is_settled_ = false;
}

std::uint32_t FlowProgress::add_clock(const WorkClock* clock) {
  clocks_.push_back({clock, {}});
  return static_cast<std::uint32_t>(clocks_.size() - 1);
}

void FlowProgress::replace_clock(std::uint32_t index, const WorkClock* clock, TimePoint now) {
  Clock& known = clocks_[index];
  for (const BundleIndex i : known.users) update(i, now);
  known.clock = clock;
  for (const BundleIndex i : known.users) {
    bundles_[i].integral = integral(bundles_[i], now);
    schedule(i);
  }
}

std::uint64_t FlowProgress::hash_of(const FlowShape& shape) {
  std::uint64_t hash = shape.clock;
  const auto mix = [&](std::uint64_t word) { hash = mixed(hash, word); };
  mix(std::bit_cast<std::uint64_t>(shape.weight));
  mix(std::bit_cast<std::uint64_t>(shape.bound));
  for (const Use& use : shape.uses) {
    mix(use.resource);
    mix(std::bit_cast<std::uint64_t>(use.coefficient));
  }
  return hash ^ hash >> 32;
}

bool FlowProgress::has_shape(BundleIndex index, const FlowShape& shape) const {
  const Bundle& bundle = bundles_[index];
  return bundle.weight == shape.weight && bundle.bound == shape.bound && bundle.clock == shape.clock &&
         std::ranges::equal(sharing_.crossings(index), shape.uses, [](const auto& a, const auto& b) {
           return a.resource == b.resource && a.coefficient == b.coefficient;
         });
}

BundleIndex FlowProgress::find_bundle(const FlowShape& shape, std::uint64_t hash) const {
  if (directory_.empty()) return none;
  std::uint32_t index = directory_[hash & (directory_.size() - 1)];
  while (index != none && (bundles_[index].hash != hash || !has_shape(index, shape))) index = bundles_[index].next;
  return index;
}

BundleIndex FlowProgress::make_bundle(const FlowShape& shape, std::uint64_t hash) {
  if (listed_ >= directory_.size()) grow_directory();
  const BundleIndex index = sharing_.add_bundle(shape.weight, shape.bound, shape.uses);
  if (index >= bundles_.size()) bundles_.resize(index + 1);
  Bundle& bundle = bundles_[index];
  bundle.done = bundle.integral = bundle.rate = 0;
  bundle.weight = shape.weight;
  bundle.bound = shape.bound;
  bundle.clock = shape.clock;
  bundle.limit = LoadTable::nowhere;
  bundle.hash = hash;
  bundle.changes = 0;
  std::uint32_t& first = directory_[hash & (directory_.size() - 1)];
  bundle.next = first;
  first = index;
  ++listed_;
  if (shape.clock != plain_time) {
    std::vector<BundleIndex>& users = clocks_[shape.clock].users;
    bundle.clock_place = static_cast<std::uint32_t>(users.size());
    users.push_back(index);
  }
  return index;
}

void FlowProgress::forget_bundle(BundleIndex index) {
  const Bundle& bundle = bundles_[index];
  if (bundle.clock != plain_time) {
    std::vector<BundleIndex>& users = clocks_[bundle.clock].users;
    users[bundle.clock_place] = users.back();
    bundles_[users.back()].clock_place = bundle.clock_place;
    users.pop_back();
  }
  std::uint32_t* link = &directory_[bundles_[index].hash & (directory_.size() - 1)];
  while (*link != index) link = &bundles_[*link].next;
  *link = bundles_[index].next;
  --listed_;
}

void FlowProgress::grow_directory() {
  const std::vector<std::uint32_t> old =
      std::exchange(directory_, std::vector(std::max<std::size_t>(64, 2 * directory_.size()), none));
  for (std::uint32_t index : old) {
    while (index != none) {
      const std::uint32_t next = bundles_[index].next;
      std::uint32_t& first = directory_[bundles_[index].hash & (directory_.size() - 1)];
      bundles_[index].next = first;
      first = index;
      index = next;
    }
  }
}

double FlowProgress::integral(const Bundle& bundle, TimePoint now) const {
  const WorkClock* clock = clock_of(bundle);
  return clock ? clock->integral(now) : now.seconds();
}

double FlowProgress::clock_at(const Pool& pool, TimePoint now) const {
  return now == pool.updated ? pool.clock : pool.clock + pool.level * (now - pool.updated).seconds();
}

// The work that each member has done; none before the first settle().
double FlowProgress::done_at(BundleIndex index, TimePoint now) const {
  const Bundle& bundle = bundles_[index];
  if (bundle.limit == LoadTable::nowhere || bundle.updated == now) return bundle.done;
  if (is_pooled(bundle)) {
    const Pool& pool = pools_[bundle.limit];
    const double remaining = pool.bundles.key(bundle_places_, index).target - clock_at(pool, now);
    return bundle.members.first_key().target - remaining / bundle.weight;
  }
  if (bundle.clock == plain_time) return bundle.done + bundle.rate * (now - bundle.updated).seconds();
  return bundle.done + bundle.rate * (integral(bundle, now) - bundle.integral);
}

void FlowProgress::update(BundleIndex index, TimePoint now) {
  Bundle& bundle = bundles_[index];
  bundle.done = done_at(index, now);
  if (bundle.clock != plain_time) bundle.integral = integral(bundle, now);
  bundle.updated = now;
  if (++bundle.changes <= 2 * bundle.members.size() + 64) return;
  bundle.members.change_all([&](TargetKey& key) { key.target -= bundle.done; });
  bundle.done = 0;
  bundle.changes = 0;
}

void FlowProgress::update_pool(Pool& pool, TimePoint now) {
  pool.clock = pool.bundles.empty() ? 0 : clock_at(pool, now);
  pool.updated = now;
  if (++pool.changes <= 2 * pool.bundles.size() + 64) return;
  pool.bundles.change_all([&](TargetKey& key) { key.target -= pool.clock; });
  pool.clock = 0;
  pool.changes = 0;
}

// The date of the next end in an updated bundle.
void FlowProgress::schedule(BundleIndex index) {
  Bundle& bundle = bundles_[index];
  if (bundle.limit == LoadTable::nowhere) return;
  const double remaining = bundle.members.first_key().target - bundle.done;
  if (is_pooled(bundle)) {
    Pool& pool = pools_[bundle.limit];
    update_pool(pool, bundle.updated);
    pool.bundles.set(bundle_places_, index, {pool.clock + remaining * bundle.weight});
    touch(bundle.limit);
    return;
  }
  const double seconds = remaining / bundle.rate;
  const WorkClock* clock = clock_of(bundle);
  TimePoint date = date_after(bundle.updated, remaining <= 0 ? 0 : seconds);
  if (clock && remaining > 0)
    date = seconds < unbounded ? std::max(clock->inverse(bundle.integral + seconds), bundle.updated) : never;
  bundle_dates_.set(index, date, 0);
}

void FlowProgress::attach(BundleIndex index, ResourceIndex limit, TimePoint now) {
  Bundle& bundle = bundles_[index];
  if (bundle.clock != plain_time) bundle.integral = integral(bundle, now);
  bundle.limit = limit;
  bundle.updated = now;
  if (!is_pooled(bundle)) bundle.rate = sharing_.rate(index);
  if (!is_pooled(bundle) && limit != FairSharing::by_bound) {
    std::vector<BundleIndex>& clocked = pools_[limit].clocked;
    bundle.clocked_place = static_cast<std::uint32_t>(clocked.size());
    clocked.push_back(index);
  }
  schedule(index);
}

// Removes the bundle from its limit. Requires: the bundle is updated.
void FlowProgress::detach(BundleIndex index) {
  Bundle& bundle = bundles_[index];
  const ResourceIndex limit = bundle.limit;
  if (limit == LoadTable::nowhere) return;
  if (is_pooled(bundle)) {
    pools_[limit].bundles.remove(bundle_places_, index);
    touch(limit);
  } else {
    bundle_dates_.remove(index);
    if (limit != FairSharing::by_bound) {
      std::vector<BundleIndex>& clocked = pools_[limit].clocked;
      clocked[bundle.clocked_place] = clocked.back();
      bundles_[clocked.back()].clocked_place = bundle.clocked_place;
      clocked.pop_back();
    }
  }
  bundle.limit = LoadTable::nowhere;
}

void FlowProgress::join(MemberIndex member, const FlowShape& shape, double amount, TimePoint now) {
  const std::uint64_t hash = hash_of(shape);
  BundleIndex index = find_bundle(shape, hash);
  if (index == none) {
    index = make_bundle(shape, hash);
  } else {
    update(index, now);
    sharing_.set_count(index, bundles_[index].members.size() + 1);
  }
  Bundle& bundle = bundles_[index];
  bundle.members.set(member_places_, member, {bundle.done + amount});
  if (member >= bundle_of_.size()) bundle_of_.resize(member + 1);
  bundle_of_[member] = index;
  schedule(index);
  is_settled_ = false;
}

double FlowProgress::leave(MemberIndex member, TimePoint now) {
  const BundleIndex index = bundle_of_[member];
  update(index, now);
  const Bundle& bundle = bundles_[index];
  const double remaining = bundle.members.key(member_places_, member).target - bundle.done;
  remove_member(member);
  return std::max(remaining, 0.0);
}

// Removes the member from its bundle. Requires: the bundle is updated.
void FlowProgress::remove_member(MemberIndex member) {
  const BundleIndex index = bundle_of_[member];
  Bundle& bundle = bundles_[index];
  bundle.members.remove(member_places_, member);
  sharing_.set_count(index, bundle.members.size());
  if (bundle.members.empty()) {
    detach(index);
    forget_bundle(index);
  } else {
    schedule(index);
  }
  is_settled_ = false;
}

double FlowProgress::remaining(MemberIndex member, TimePoint now) const {
  const BundleIndex index = bundle_of_[member];
  const double target = bundles_[index].members.key(member_places_, member).target;
  return std::max(target - done_at(index, now), 0.0);
}

void FlowProgress::relevel(ResourceIndex resource, TimePoint now) {
  Pool& pool = pools_[resource];
  update_pool(pool, now);
  pool.level = sharing_.level(resource);
  touch(resource);
  for (const BundleIndex index : pool.clocked) {
    update(index, now);
    bundles_[index].rate = pool.level / bundles_[index].weight;
    schedule(index);
  }
}

void FlowProgress::settle(TimePoint now) {
  is_settled_ = true;
  sharing_.solve();
  // First update all progress by the old levels.
  for (const BundleIndex index : sharing_.moved()) {
    update(index, now);
    detach(index);
  }
  for (const ResourceIndex resource : sharing_.relevelled()) relevel(resource, now);
  for (const BundleIndex index : sharing_.moved()) attach(index, sharing_.limit(index), now);
  date_touched();
}

void FlowProgress::touch(ResourceIndex resource) {
  if (pools_[resource].is_touched) return;
  pools_[resource].is_touched = true;
  touched_.push_back(resource);
}

void FlowProgress::date_touched() {
  for (const ResourceIndex resource : touched_) {
    Pool& pool = pools_[resource];
    pool.is_touched = false;
    if (pool.bundles.empty()) {
      pool_dates_.remove(resource);
      continue;
    }
    const double remaining = pool.bundles.first_key().target - pool.clock;
    const double seconds = remaining <= 0 ? 0 : remaining / pool.level;
    pool_dates_.set(resource, date_after(pool.updated, seconds), 0);
  }
  touched_.clear();
}

void FlowProgress::end(TimePoint now, std::vector<MemberIndex>& ended) {
  while (true) {
    BundleIndex index = none;
    if (!pool_dates_.empty() && pool_dates_.first_date() == now) index = pools_[pool_dates_.first()].bundles.first();
    else if (!bundle_dates_.empty() && bundle_dates_.first_date() == now) index = bundle_dates_.first();
    else return;
    update(index, now);
    const MemberIndex member = bundles_[index].members.first();
    ended.push_back(member);
    remove_member(member);
    date_touched();
  }
}

}  // namespace rehearse::sharing
