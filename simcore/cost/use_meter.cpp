// SPDX-License-Identifier: MIT
//
// See use_meter.hpp.
#include "simcore/cost/use_meter.hpp"

#include <algorithm>
#include <utility>

namespace rehearse::cost {
namespace {

// Rounding leaves a part of the work behind, which would appear as work after the end of the activity.
constexpr double rounding = 1e-12;

}  // namespace

UseMeter::Entry* UseMeter::find(std::uint32_t slot) {
  const bool is_known = slot < places_.size() && places_[slot] != none;
  return is_known ? &entries_[places_[slot]] : nullptr;
}

void UseMeter::add_parts(Entry& entry, std::span<const sharing::Use> uses, TimePoint now) {
  for (const sharing::Use& use : uses) {
    const Owner owner = state_.resources.owner(use.resource);
    if (owner.kind == OwnerKind::link) entry.parts.push_back({true, owner.id, use.coefficient});
    if (owner.kind != OwnerKind::host) continue;
    // Without a clock, a coefficient contains the slowness of the host. With one, the work itself is in flops.
    const bool has_clock = slots_[entry.slot].kind == SlotKind::computation && !state_.fluid.is_parallel();
    const double factor = has_clock ? 1 : std::max(state_.hosts.factor(HostId{owner.id}, now), standstill);
    entry.parts.push_back({false, owner.id, use.coefficient * factor});
  }
}

void UseMeter::open(std::uint32_t slot, const sharing::Work& work, TimePoint now) {
  if (observer_ == nullptr || work.amount <= 0) return;
  if (count_ == entries_.size()) entries_.emplace_back();
  Entry& entry = entries_[count_];
  entry.slot = slot;
  entry.category = slots_[slot].category;
  entry.amount = entry.left = work.amount;
  entry.since = now;
  entry.parts.clear();
  add_parts(entry, work.uses, now);
  add_parts(entry, work.meters, now);
  if (entry.parts.empty()) return;
  if (slot >= places_.size()) places_.resize(slot + 1, none);
  places_[slot] = static_cast<std::uint32_t>(count_++);
}

void UseMeter::remove(std::uint32_t slot) {
  const std::uint32_t place = std::exchange(places_[slot], none);
  --count_;
  if (place == count_) return;
  std::swap(entries_[place], entries_[count_]);
  places_[entries_[place].slot] = place;
}

void UseMeter::report(Entry& entry, double left, TimePoint now) {
  if (left < entry.amount * rounding) left = 0;
  const double done = entry.left - left;
  const TimePoint from = std::exchange(entry.since, now);
  if (done <= 0) return;
  entry.left = left;
  for (const Part& part : entry.parts) {
    if (part.is_link) observer_->on_link_use(LinkId{part.id}, entry.category, done * part.coefficient, from);
    else observer_->on_host_use(HostId{part.id}, entry.category, done * part.coefficient, from);
  }
}

void UseMeter::settle(std::uint32_t slot, TimePoint now) {
  if (Entry* entry = find(slot)) report(*entry, state_.fluid.remaining_at(slots_[slot].activity, now), now);
}

void UseMeter::change(std::uint32_t slot, std::span<const sharing::Use> uses, std::span<const sharing::Use> meters,
                      TimePoint now) {
  Entry* entry = find(slot);
  if (entry == nullptr) return;
  entry->parts.clear();
  add_parts(*entry, uses, now);
  add_parts(*entry, meters, now);
}

void UseMeter::close(std::uint32_t slot, TimePoint now) {
  if (find(slot) == nullptr) return;
  settle(slot, now);
  remove(slot);
}

void UseMeter::end(std::uint32_t slot) {
  Entry* entry = find(slot);
  if (entry == nullptr) return;
  report(*entry, 0, state_.now);
  remove(slot);
}

void UseMeter::report_all() {
  for (std::size_t i = 0; i < count_; ++i) settle(entries_[i].slot, state_.now);
}

void UseMeter::sample_until(TimePoint until) {
  observer_->reach(until);
  TimePoint date = observer_->next_sample();
  if (date > until) return;
  state_.fluid.next_date();  // settles the rates that hold from now on
  for (; date <= until; date = observer_->next_sample()) {
    for (std::size_t i = 0; i < count_; ++i) {
      Entry& entry = entries_[i];
      report(entry, state_.fluid.remaining_at(slots_[entry.slot].activity, date), date);
    }
    observer_->sampled(date);
  }
}

}  // namespace rehearse::cost
