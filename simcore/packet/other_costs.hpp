// SPDX-License-Identifier: MIT
//
// A cost model that has transfers between hosts only: another model has computations, disks, parallel tasks, loopbacks,
// profiles, and the states of all resources.
//
// Shape:   a derived class has its activities in slots; their numbers are odd. Those of the other model have even
//          numbers here. For calls about an activity, the derived class decides by is_ours().
// Streams: a transfer from or to a disk goes through the other model, as parallel tasks do.
// Threads: none.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "simcore/cost_model.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::packet {

class OtherCosts : public CostModel {
 public:
  explicit OtherCosts(std::unique_ptr<CostModel> others) : others_(std::move(others)) {}

  std::optional<ActivityId> start(const Transfer& transfer, TimePoint now) override = 0;
  std::optional<ActivityId> start(const ParallelTask& task, TimePoint now) final {
    const auto activity = others_->start(task, now);
    return activity ? std::optional(here(*activity)) : std::nullopt;
  }
  ActivityId start(const Computation& computation, TimePoint now) final {
    return here(others_->start(computation, now));
  }
  ActivityId start(const DiskAccess& access, TimePoint now) final { return here(others_->start(access, now)); }

  // Packets have no priorities; the flow models' weights of transfers are not used by any caller either.
  void set_priority(ActivityId activity, double priority, TimePoint now) final {
    if (!is_ours(activity)) others_->set_priority(theirs(activity), priority, now);
  }
  void set_host(ActivityId computation, HostId host, TimePoint now) final {
    REHEARSE_ASSERT(!is_ours(computation), "only computations move");
    others_->set_host(theirs(computation), host, now);
  }
  void set_host_on(HostId host, bool is_on, TimePoint now) final { others_->set_host_on(host, is_on, now); }
  bool is_host_on(HostId host, TimePoint now) final { return others_->is_host_on(host, now); }
  void set_pstate(HostId host, std::uint32_t pstate, TimePoint now) final { others_->set_pstate(host, pstate, now); }
  std::uint32_t pstate(HostId host) const final { return others_->pstate(host); }
  double host_speed(HostId host, TimePoint now) final { return others_->host_speed(host, now); }
  void set_host_capacity_function(HostId host, CapacityFunction function, TimePoint now) final {
    others_->set_host_capacity_function(host, std::move(function), now);
  }
  void set_link_on(LinkId link, bool is_on, TimePoint now) final { others_->set_link_on(link, is_on, now); }
  bool is_link_on(LinkId link, TimePoint now) final { return others_->is_link_on(link, now); }
  double bandwidth(LinkId link, TimePoint now) final { return others_->bandwidth(link, now); }
  double link_latency(LinkId link, TimePoint now) final { return others_->link_latency(link, now); }
  void set_concurrency_limit(LinkId link, std::uint32_t flows, TimePoint now) final {
    others_->set_concurrency_limit(link, flows, now);
  }
  void set_link_capacity_function(LinkId link, CapacityFunction function, TimePoint now) final {
    others_->set_link_capacity_function(link, std::move(function), now);
  }
  void set_wifi_rate(LinkId link, HostId station, std::uint32_t level, TimePoint now) final {
    others_->set_wifi_rate(link, station, level, now);
  }
  void set_disk_bandwidths(DiskId disk, double read, double write, double total, TimePoint now) final {
    others_->set_disk_bandwidths(disk, read, write, total, now);
  }
  void set_disk_capacity_function(DiskId disk, DiskPart part, CapacityFunction function, TimePoint now) final {
    others_->set_disk_capacity_function(disk, part, std::move(function), now);
  }
  void observe(ResourceObserver& observer, ObserverNeeds needs) override { others_->observe(observer, needs); }

 protected:
  static bool is_ours(ActivityId activity) { return activity.value % 2 == 1; }
  static ActivityId theirs(ActivityId activity) { return {activity.value / 2}; }
  static ActivityId here(ActivityId activity) { return {activity.value * 2}; }
  std::optional<ActivityId> start_other(const Transfer& transfer, TimePoint now) {
    const auto activity = others_->start(transfer, now);
    return activity ? std::optional(here(*activity)) : std::nullopt;
  }

  std::unique_ptr<CostModel> others_;
};

}  // namespace rehearse::packet
