// SPDX-License-Identifier: MIT
//
// Composition of schedules: from a function, one after another, and in groups of members.
//
// Ownership: a schedule keeps its parts alive. It depends only on the shape, so it may be shared.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "simcore/collective_schedule.hpp"

namespace rehearse::collective {

using SchedulePtr = std::shared_ptr<const CollectiveSchedule>;

template <class Plan>
class PlannedSchedule final : public CollectiveSchedule {
 public:
  PlannedSchedule(std::uint32_t rounds, Plan plan) : rounds_(rounds), plan_(std::move(plan)) {}
  std::uint32_t rounds() const override { return rounds_; }
  void plan(std::uint32_t member, std::uint32_t round, Round& plan) const override { plan_(member, round, plan); }

 private:
  std::uint32_t rounds_;
  Plan plan_;
};

// `plan(member, round, Round&)` appends what the member does.
template <class Plan>
SchedulePtr planned(std::uint32_t rounds, Plan plan) {
  return std::make_shared<const PlannedSchedule<Plan>>(rounds, std::move(plan));
}

// Each member executes all rounds of one phase, then those of the next. The order of contributions is that of the first
// phase that defines one.
SchedulePtr sequence(std::vector<SchedulePtr> phases);

// Members that run their own schedule, in which they are numbered by their place in the list.
struct Group {
  std::vector<std::uint32_t> members;
  SchedulePtr schedule;
};

// A member is in at most one group; members without a group do nothing. Payloads are not changed.
SchedulePtr in_groups(std::uint32_t members, std::vector<Group> groups);

// The same schedule, with payloads that number members in this order.
SchedulePtr ordered(SchedulePtr schedule, std::vector<std::uint32_t> order);

// The greatest power of two that is not greater than a number, and its exponent.
struct Power {
  std::uint32_t value = 1;
  std::uint32_t exponent = 0;
};
Power power_below(std::uint32_t number);

// The number of rounds of doubling that reach all members.
std::uint32_t doublings(std::uint32_t members);

// Reduces the members to a power of two. The first 2 * extra members form pairs. The first member of a pair gives its
// contribution to the second one, which stands for both. The remaining members are numbered from 0.
struct Fold {
  explicit Fold(std::uint32_t members);

  bool is_out(std::uint32_t member) const { return member < 2 * extra && member % 2 == 0; }
  bool has_partner(std::uint32_t member) const { return member < 2 * extra && member % 2 == 1; }
  std::uint32_t number(std::uint32_t member) const { return member < 2 * extra ? member / 2 : member - extra; }
  std::uint32_t member(std::uint32_t number) const { return number < extra ? 2 * number + 1 : number + extra; }
  // The first member that a number stands for. For `power.value`: the number of members.
  std::uint32_t begin(std::uint32_t number) const { return number < extra ? 2 * number : number + extra; }
  Range members_of(std::uint32_t first, std::uint32_t count) const {
    return {begin(first), begin(first + count) - begin(first), 1};
  }

  Power power;
  std::uint32_t extra = 0;
};

// All contributions for all targets, in one part.
inline Payload whole(std::uint32_t members) { return {{0, members, 1}, {0, members, 1}}; }
inline Payload of_origin(std::uint32_t origin, std::uint32_t members) { return {{origin, 1, 1}, {0, members, 1}}; }
inline Payload for_targets(Range targets, std::uint32_t members) { return {{0, members, 1}, targets}; }
inline Payload part(Payload payload, Range parts, std::uint32_t of_parts) {
  payload.parts = parts;
  payload.of_parts = of_parts;
  return payload;
}

}  // namespace rehearse::collective
