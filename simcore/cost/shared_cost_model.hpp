// SPDX-License-Identifier: MIT
//
// The cost model: transfers, computations, disk accesses and parallel tasks as activities of one fluid,
// on resources that change.
//
// Shape:   consists of parts that share a CostState. This class has the interface, and the progress of time.
// Threads: none.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "simcore/cost/computations.hpp"
#include "simcore/cost/cost_state.hpp"
#include "simcore/cost/limits.hpp"
#include "simcore/cost/link_changes.hpp"
#include "simcore/cost/observers.hpp"
#include "simcore/cost/outages.hpp"
#include "simcore/cost/profile_events.hpp"
#include "simcore/cost/slot_table.hpp"
#include "simcore/cost/tasks.hpp"
#include "simcore/cost/transfers.hpp"
#include "simcore/cost/use_meter.hpp"
#include "simcore/cost_model.hpp"
#include "simcore/fixed_durations.hpp"

namespace rehearse::cost {

class SharedCostModel final : public CostModel, public FixedDurations {
 public:
  SharedCostModel(const Platform& platform, network::NetworkParameters parameters, const ModelOptions& options);

  std::optional<ActivityId> start(const Transfer& transfer, TimePoint now) override;
  std::optional<ActivityId> start(const ParallelTask& task, TimePoint now) override;
  ActivityId start(const Computation& computation, TimePoint now) override;
  ActivityId start(const DiskAccess& access, TimePoint now) override;
  void cancel(ActivityId activity, TimePoint now) override;
  void suspend(ActivityId activity, TimePoint now) override;
  void resume(ActivityId activity, TimePoint now) override;
  void set_rate(ActivityId activity, double rate, TimePoint now) override;
  void set_priority(ActivityId activity, double priority, TimePoint now) override;
  void set_host(ActivityId computation, HostId host, TimePoint now) override;
  double remaining(ActivityId activity, TimePoint now) override;
  double rate(ActivityId activity, TimePoint now) override;
  Limit limit(ActivityId activity, TimePoint now) override;
  void set_host_on(HostId host, bool is_on, TimePoint now) override;
  bool is_host_on(HostId host, TimePoint now) override;
  void set_pstate(HostId host, std::uint32_t pstate, TimePoint now) override;
  std::uint32_t pstate(HostId host) const override { return state_.hosts[host].pstate; }
  double host_speed(HostId host, TimePoint now) override;
  void set_host_capacity_function(HostId host, CapacityFunction function, TimePoint now) override;
  void set_link_on(LinkId link, bool is_on, TimePoint now) override;
  bool is_link_on(LinkId link, TimePoint now) override;
  void set_bandwidth(LinkId link, double bytes_per_second, TimePoint now) override;
  double bandwidth(LinkId link, TimePoint now) override;
  void set_latency(LinkId link, double seconds, TimePoint now) override;
  double link_latency(LinkId link, TimePoint now) override;
  void set_concurrency_limit(LinkId link, std::uint32_t flows, TimePoint now) override;
  void set_link_capacity_function(LinkId link, CapacityFunction function, TimePoint now) override;
  void set_wifi_rate(LinkId link, HostId station, std::uint32_t level, TimePoint now) override;
  void set_disk_bandwidths(DiskId disk, double read, double write, double total, TimePoint now) override;
  void set_disk_capacity_function(DiskId disk, DiskPart part, CapacityFunction function, TimePoint now) override;
  bool are_fixed() const override {
    return state_.parameters.kind == network::NetworkKind::constant && !events_.has_host_states();
  }
  Duration fixed_duration(const Transfer& transfer, TimePoint now) override;
  bool carries_envelopes() const override { return state_.parameters.has_connections; }
  std::optional<Duration> latency(HostId source, HostId destination, TimePoint now) override;
  TransferTerms terms(const Transfer& transfer, TimePoint now) override;
  void observe(ResourceObserver& observer, ObserverNeeds needs) override;
  bool observe_uses(UseObserver& observer) override;
  void report_uses(TimePoint now) override;
  TimePoint next_date() override;
  bool is_busy() const override { return !slots_.is_empty(); }
  void advance(TimePoint now, std::vector<Ended>& ended) override;

 private:
  void happen(std::uint32_t event, TimePoint now);
  void go_to(TimePoint now);

  CostState state_;
  std::function<double(HostId, double)> compute_factor_;
  std::function<double(DiskId, double, bool)> disk_factor_;
  SlotTable slots_{state_.fluid};
  UseMeter use_meter_{state_, slots_};
  ProfileEvents events_{state_};
  Observers observers_{state_};
  Transfers transfers_{state_, slots_};
  Computations computations_{state_, slots_, events_};
  Tasks tasks_{state_, slots_, events_, link_changes_};
  LinkChanges link_changes_{state_, slots_, events_, transfers_, tasks_, observers_};
  Outages outages_{state_, slots_, events_, transfers_, tasks_, observers_};
  Limits limits_{state_};
  std::vector<sharing::Use> uses_;
  std::vector<std::uint32_t> ended_;
};

}  // namespace rehearse::cost
