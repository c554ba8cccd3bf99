// SPDX-License-Identifier: MIT
//
// Parallel tasks: one activity that uses each host and link in proportion to its flops and bytes there.
//
// Model:  after the greatest latency of its routes, the task advances at x tasks per second; host i gives
//         flops_i x, a link on the route from i to j bytes_ij x. x <= speed_i / flops_i (one core each) and
//         x <= window / (2 max latency_ij bytes_ij). With `ptask`, all activities share by
//         bottleneck max fairness or by fair bottlenecks. With other models, a task shares as if it used only the
//         resource that it needs most, relative to the capacities.
// Source: Bonald, Roberts, Multi-resource fairness, SIGMETRICS 2015 (bottleneck max fairness).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "simcore/cost/cost_state.hpp"
#include "simcore/cost/profile_events.hpp"
#include "simcore/cost/slot_table.hpp"

namespace rehearse::cost {

class LinkChanges;

class Tasks {
 public:
  Tasks(CostState& state, SlotTable& slots, ProfileEvents& events, LinkChanges& link_changes)
      : state_(state), slots_(slots), events_(events), link_changes_(link_changes) {}

  // Returns the slot of the task, which is not open yet; nothing: there is no route.
  std::optional<std::uint32_t> add(const ParallelTask& given, TimePoint now);
  bool is_possible(std::uint32_t index);  // all resources that it needs are on
  void open(std::uint32_t index, TimePoint now);
  void end(std::uint32_t index);

  void refresh(std::uint32_t index, TimePoint now);
  void refresh_on_path(std::uint32_t path, TimePoint now);
  void refresh_on_host(HostId host, TimePoint now);

  std::vector<std::uint32_t> on_host(HostId host) const;
  std::vector<std::uint32_t> without_path();  // tasks that need a link that is off

 private:
  struct Task {
    std::vector<HostId> hosts;
    std::vector<double> flops;
    std::vector<std::pair<std::uint32_t, double>> transfers;  // path and bytes

    bool uses(HostId host) const;
    bool uses_path(std::uint32_t path) const;
  };

  bool add_transfers(Task& task, const ParallelTask& given, TimePoint now);
  bool lacks_path(const Task& task);
  sharing::Work work_of(const Task& task, const Slot& slot, TimePoint now);
  void watch_host(HostId host, int change, TimePoint now);

  CostState& state_;
  SlotTable& slots_;
  ProfileEvents& events_;
  LinkChanges& link_changes_;
  std::map<std::uint32_t, Task> tasks_;
  std::vector<sharing::Use> uses_;    // of the last work_of()
  std::vector<sharing::Use> meters_;  // likewise; each once
};

}  // namespace rehearse::cost
