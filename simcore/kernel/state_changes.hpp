// SPDX-License-Identifier: MIT
//
// Failures and recoveries of hosts and links: reports of the cost model, and their effects.
//
// Protocol: the cost model reports during its own calls; handle() applies the effects after them.
#pragma once

#include <cstdint>
#include <vector>

#include "simcore/cost_model.hpp"
#include "simcore/kernel/records.hpp"

namespace rehearse::sim::kernel {

class StateChanges final : private ResourceObserver {
 public:
  StateChanges(Kernel& kernel, CostModel& costs) : kernel_(kernel) { costs.observe(*this, {}); }
  StateChanges(const StateChanges&) = delete;
  StateChanges& operator=(const StateChanges&) = delete;

  void set_host_on(HostId host, bool is_on);
  // The running actor leaves if its host went off.
  void handle();

 private:
  struct StateChange {
    bool is_host;
    std::uint32_t id;
    bool is_on;
  };

  void on_host_state(HostId host, bool is_on, TimePoint) override { changes_.push_back({true, host.value, is_on}); }
  void on_link_state(LinkId link, bool is_on, TimePoint) override { changes_.push_back({false, link.value, is_on}); }

  Kernel& kernel_;
  std::vector<StateChange> changes_;
};

}  // namespace rehearse::sim::kernel
