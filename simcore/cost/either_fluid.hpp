// SPDX-License-Identifier: MIT
//
// The fluid of all activities: sharing::Fluid, or sharing::ParallelFluid if each activity is a parallel task. The
// second has no clocks, no concurrency limits and no capacity functions.
//
// Threads: none.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "simcore/sharing/fluid.hpp"
#include "simcore/sharing/parallel_fluid.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::cost {

enum class ActivityPhase : std::uint8_t { delayed, waiting, flowing };

class EitherFluid {
 public:
  using Index = std::uint32_t;
  using Resource = sharing::ResourceIndex;

  // With a rule, each activity is a parallel task.
  explicit EitherFluid(sharing::ParallelFluid::Rule rule) {
    if (rule) parallel_.emplace(rule);
  }
  bool is_parallel() const { return parallel_.has_value(); }

  Resource add_resource(double capacity, sharing::Division division) {
    return parallel_ ? parallel_->add_resource(capacity, division) : fluid_.add_resource(capacity, division);
  }
  // A watched resource that only sums the rates of the activities that pass it.
  Resource add_meter() { return parallel_ ? parallel_->add_meter() : fluid_.add_meter(); }
  void set_capacity(Resource resource, double capacity, TimePoint now) {
    parallel_ ? parallel_->set_capacity(resource, capacity, now) : fluid_.set_capacity(resource, capacity, now);
  }
  double capacity(Resource resource) const {
    return parallel_ ? parallel_->capacity(resource) : fluid_.capacity(resource);
  }
  double usage(Resource resource) { return parallel_ ? parallel_->usage(resource) : fluid_.usage(resource); }
  std::uint32_t flows(Resource resource) const { return parallel_ ? 0 : fluid_.flows(resource); }
  void watch(Resource resource) {
    if (!parallel_) fluid_.watch(resource);
  }
  // The changes of loads: now, then at later dates before `until`.
  std::span<const sharing::LoadChange> changed(TimePoint now, TimePoint until) {
    if (!parallel_) return fluid_.changed(until);
    changed_.clear();
    for (const Resource resource : parallel_->changed())
      changed_.push_back({resource, parallel_->usage(resource), now});
    return changed_;
  }
  // The functions that only sharing::Fluid has.
  sharing::Fluid& fluid() {
    REHEARSE_ASSERT(!parallel_, "ptask has no concurrency limits and no capacity functions");
    return fluid_;
  }

  // Parts on the same resource add up. For parallel tasks, the greatest single part also matters.
  Index start(const sharing::Work& work, TimePoint now) {
    if (!parallel_) return fluid_.start(work, now);
    return parallel_->start({work.delay, work.amount, work.weight, work.bound, parts(work.uses, work.meters)}, now);
  }
  void cancel(Index activity, TimePoint now) {
    parallel_ ? parallel_->cancel(activity, now) : fluid_.cancel(activity, now);
  }
  void suspend(Index activity, TimePoint now) {
    parallel_ ? parallel_->suspend(activity, now) : fluid_.suspend(activity, now);
  }
  void resume(Index activity, TimePoint now) {
    parallel_ ? parallel_->resume(activity, now) : fluid_.resume(activity, now);
  }
  void set_weight(Index activity, double weight, TimePoint now) {
    parallel_ ? parallel_->set_weight(activity, weight, now) : fluid_.set_weight(activity, weight, now);
  }
  void set_bound(Index activity, double bound, TimePoint now) {
    parallel_ ? parallel_->set_bound(activity, bound, now) : fluid_.set_bound(activity, bound, now);
  }
  void set_coefficients(Index activity, std::span<const sharing::Use> uses, std::span<const sharing::Use> meters,
                        TimePoint now) {
    if (parallel_) parallel_->set_uses(activity, parts(uses, meters), now);
    else fluid_.set_coefficients(activity, uses, meters, now);
  }
  double remaining(Index activity, TimePoint now) {
    return parallel_ ? parallel_->remaining(activity, now) : fluid_.remaining(activity, now);
  }
  // The same, of the present date or a later one up to next_date(). Changes nothing; requires settled rates if later.
  double remaining_at(Index activity, TimePoint date) const {
    return parallel_ ? parallel_->remaining_at(activity, date) : fluid_.remaining_at(activity, date);
  }
  double rate(Index activity) { return parallel_ ? parallel_->rate(activity) : fluid_.rate(activity); }
  // Requires: the activity is not suspended.
  ActivityPhase phase(Index activity) {
    if (parallel_) return parallel_->rate(activity) > 0 ? ActivityPhase::flowing : ActivityPhase::delayed;
    switch (fluid_.phase(activity)) {
      case sharing::Phase::delayed: return ActivityPhase::delayed;
      case sharing::Phase::waiting: return ActivityPhase::waiting;
      default: return ActivityPhase::flowing;
    }
  }
  // The resource that limits a flowing activity; nothing: its own bound does.
  std::optional<Resource> limit(Index activity) {
    if (parallel_) {
      const Resource resource = parallel_->limit(activity);
      if (resource == sharing::ParallelRates::by_bound) return std::nullopt;
      return resource;
    }
    const sharing::Fluid::Limit limit = fluid_.limit(activity);
    if (limit.is_bound) return std::nullopt;
    return limit.resource;
  }

  TimePoint next_date() { return parallel_ ? parallel_->next_date() : fluid_.next_date(); }
  void advance(TimePoint now, std::vector<Index>& ended) {
    parallel_ ? parallel_->advance(now, ended) : fluid_.advance(now, ended);
  }

 private:
  std::span<const sharing::ParallelUse> parts(std::span<const sharing::Use> uses,
                                              std::span<const sharing::Use> meters) {
    parts_.clear();
    for (const sharing::Use& use : uses) parts_.push_back({use.resource, use.coefficient, use.coefficient});
    for (const sharing::Use& use : meters) parts_.push_back({use.resource, use.coefficient, use.coefficient});
    return parts_;
  }

  sharing::Fluid fluid_;
  std::optional<sharing::ParallelFluid> parallel_;
  std::vector<sharing::ParallelUse> parts_;
  std::vector<sharing::LoadChange> changed_;
};

}  // namespace rehearse::cost
