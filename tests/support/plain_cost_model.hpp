// SPDX-License-Identifier: MIT
//
// A cost model without sharing, for tests of code above cost models: every activity runs at full speed.
//
// Rates: a transfer: the least bandwidth on its route, after its latency; a computation: threads times the host's
//        speed; a disk access: the disk's bandwidth; a parallel task: the slowest of its computations.
#pragma once

#include <map>
#include <vector>

#include "simcore/cost_model.hpp"

namespace rehearse::testing {

class PlainCostModel final : public CostModel {
 public:
  explicit PlainCostModel(const Platform& platform);

  std::optional<ActivityId> start(const Transfer& transfer, TimePoint now) override;
  std::optional<ActivityId> start(const ParallelTask& task, TimePoint now) override;
  ActivityId start(const Computation& computation, TimePoint now) override;
  ActivityId start(const DiskAccess& access, TimePoint now) override;
  void cancel(ActivityId activity, TimePoint now) override;
  void suspend(ActivityId activity, TimePoint now) override;
  void resume(ActivityId activity, TimePoint now) override;
  void set_rate(ActivityId activity, double rate, TimePoint now) override;
  void set_priority(ActivityId, double, TimePoint) override {}
  void set_host(ActivityId computation, HostId host, TimePoint now) override;
  double remaining(ActivityId activity, TimePoint now) override;
  double rate(ActivityId activity, TimePoint now) override;
  Limit limit(ActivityId, TimePoint) override { return {}; }

  void set_host_on(HostId host, bool is_on, TimePoint now) override;
  bool is_host_on(HostId host, TimePoint) override { return host_on_[host.value]; }
  void set_pstate(HostId, std::uint32_t, TimePoint) override {}
  std::uint32_t pstate(HostId) const override { return 0; }
  double host_speed(HostId host, TimePoint) override { return platform_.host(host).flops_per_second; }
  void set_host_capacity_function(HostId, CapacityFunction, TimePoint) override {}
  void set_link_on(LinkId link, bool is_on, TimePoint now) override;
  bool is_link_on(LinkId link, TimePoint) override { return link_on_[link.value]; }
  void set_bandwidth(LinkId, double, TimePoint) override {}
  double bandwidth(LinkId link, TimePoint) override { return platform_.link(link).bytes_per_second; }
  void set_latency(LinkId, double, TimePoint) override {}
  double link_latency(LinkId link, TimePoint) override { return platform_.link(link).latency_seconds; }
  void set_concurrency_limit(LinkId, std::uint32_t, TimePoint) override {}
  void set_link_capacity_function(LinkId, CapacityFunction, TimePoint) override {}
  void set_wifi_rate(LinkId, HostId, std::uint32_t, TimePoint) override {}
  void set_disk_bandwidths(DiskId, double, double, double, TimePoint) override {}
  void set_disk_capacity_function(DiskId, DiskPart, CapacityFunction, TimePoint) override {}
  std::optional<Duration> latency(HostId source, HostId destination, TimePoint now) override;
  void observe(ResourceObserver& observer, ObserverNeeds) override { observers_.push_back(&observer); }
  TimePoint next_date() override { return by_date_.empty() ? never : by_date_.begin()->first.first; }
  bool is_busy() const override { return active_ > 0; }
  void advance(TimePoint now, std::vector<Ended>& ended) override;

 private:
  struct Work {
    bool active = false;
    bool suspended = false;
    bool failed = false;
    double rate = 1;
    double remaining = 0;  // at `since`
    TimePoint since;       // later than now: the activity is in its latency
    std::uint64_t order = 0;
    TimePoint end;  // its place in by_date_, unless suspended
    std::vector<HostId> hosts;
    std::vector<LinkId> links;
  };

  ActivityId begin(Work work, TimePoint now);
  void settle(Work& work, TimePoint now);
  void schedule(std::uint32_t id, TimePoint now);
  void unschedule(Work& work) { by_date_.erase({work.end, work.order}); }
  void fail_those_on(TimePoint now, bool (*)(const PlainCostModel&, const Work&));

  const Platform& platform_;
  std::vector<Work> works_;
  std::vector<std::uint32_t> free_;
  std::map<std::pair<TimePoint, std::uint64_t>, std::uint32_t> by_date_;
  std::vector<bool> host_on_, link_on_;
  std::vector<ResourceObserver*> observers_;
  std::uint64_t orders_ = 0;
  std::size_t active_ = 0;
};

}  // namespace rehearse::testing
