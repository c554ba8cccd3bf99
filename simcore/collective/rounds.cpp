// SPDX-License-Identifier: MIT
//
// Composition of schedules.
#include "simcore/collective/rounds.hpp"

#include <bit>

#include "simcore/support/assert.hpp"

namespace rehearse::collective {

namespace {

class Sequence final : public CollectiveSchedule {
 public:
  explicit Sequence(std::vector<SchedulePtr> phases) : phases_(std::move(phases)) {
    for (const SchedulePtr& phase : phases_) rounds_ += phase->rounds();
  }
  std::uint32_t rounds() const override { return rounds_; }
  void plan(std::uint32_t member, std::uint32_t round, Round& plan) const override {
    for (const SchedulePtr& phase : phases_) {
      if (round < phase->rounds()) return phase->plan(member, round, plan);
      round -= phase->rounds();
    }
  }
  std::span<const std::uint32_t> order() const override {
    for (const SchedulePtr& phase : phases_)
      if (!phase->order().empty()) return phase->order();
    return {};
  }

 private:
  std::vector<SchedulePtr> phases_;
  std::uint32_t rounds_ = 0;
};

class Grouped final : public CollectiveSchedule {
 public:
  Grouped(std::uint32_t members, std::vector<Group> groups) : groups_(std::move(groups)), place_of_(members) {
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      rounds_ = std::max(rounds_, groups_[g].schedule->rounds());
      for (std::uint32_t i = 0; i < groups_[g].members.size(); ++i) {
        REHEARSE_ASSERT(place_of_[groups_[g].members[i]].group == none, "groups are disjoint");
        place_of_[groups_[g].members[i]] = {g, i};
      }
    }
  }
  std::uint32_t rounds() const override { return rounds_; }
  void plan(std::uint32_t member, std::uint32_t round, Round& plan) const override {
    const Place place = place_of_[member];
    if (place.group == none) return;
    const Group& group = groups_[place.group];
    if (round >= group.schedule->rounds()) return;
    const std::size_t receives = plan.receives.size(), sends = plan.sends.size();
    group.schedule->plan(place.number, round, plan);
    for (std::size_t i = receives; i < plan.receives.size(); ++i)
      plan.receives[i].source = group.members[plan.receives[i].source];
    for (std::size_t i = sends; i < plan.sends.size(); ++i)
      plan.sends[i].destination = group.members[plan.sends[i].destination];
  }

 private:
  static constexpr std::uint32_t none = ~0u;
  struct Place {
    std::uint32_t group = none;
    std::uint32_t number = 0;
  };
  std::vector<Group> groups_;
  std::vector<Place> place_of_;
  std::uint32_t rounds_ = 0;
};

class Ordered final : public CollectiveSchedule {
 public:
  Ordered(SchedulePtr schedule, std::vector<std::uint32_t> order)
      : schedule_(std::move(schedule)), order_(std::move(order)) {}
  std::uint32_t rounds() const override { return schedule_->rounds(); }
  void plan(std::uint32_t member, std::uint32_t round, Round& plan) const override {
    schedule_->plan(member, round, plan);
  }
  std::span<const std::uint32_t> order() const override { return order_; }

 private:
  SchedulePtr schedule_;
  std::vector<std::uint32_t> order_;
};

}  // namespace

SchedulePtr sequence(std::vector<SchedulePtr> phases) { return std::make_shared<const Sequence>(std::move(phases)); }

SchedulePtr in_groups(std::uint32_t members, std::vector<Group> groups) {
  return std::make_shared<const Grouped>(members, std::move(groups));
}

SchedulePtr ordered(SchedulePtr schedule, std::vector<std::uint32_t> order) {
  return std::make_shared<const Ordered>(std::move(schedule), std::move(order));
}

Power power_below(std::uint32_t number) {
  const auto exponent = static_cast<std::uint32_t>(std::bit_width(number) - 1);
  return {1u << exponent, exponent};
}

std::uint32_t doublings(std::uint32_t members) { return static_cast<std::uint32_t>(std::bit_width(members - 1)); }

Fold::Fold(std::uint32_t members) : power(power_below(members)), extra(members - power.value) {}

}  // namespace rehearse::collective
