// SPDX-License-Identifier: MIT
//
// Activities that end or fail, and hosts and links that go off.
//
// Order: the activities that fail because of one change fail kind by kind, in the order in which they were started.
#pragma once

#include <cstdint>
#include <span>

#include "simcore/cost/cost_state.hpp"
#include "simcore/cost/observers.hpp"
#include "simcore/cost/profile_events.hpp"
#include "simcore/cost/slot_table.hpp"
#include "simcore/cost/tasks.hpp"
#include "simcore/cost/transfers.hpp"

namespace rehearse::cost {

class Outages {
 public:
  Outages(CostState& state, SlotTable& slots, ProfileEvents& events, Transfers& transfers, Tasks& tasks,
          Observers& observers)
      : state_(state), slots_(slots), events_(events), transfers_(transfers), tasks_(tasks), observers_(observers) {}

  // Puts the activity into the list of its subject, and takes it out. The path of an attached transfer is kept.
  void attach(std::uint32_t index);
  void detach(std::uint32_t index);
  // The next advance() will report it.
  void fail(std::uint32_t index, TimePoint now);

  // When a host goes off, its computations, its transfers in both directions and its disk accesses fail. When a link
  // goes off, the activities that cross it fail.
  void switch_host(HostId host, bool is_on, TimePoint now);
  void switch_link(LinkId link, bool is_on, TimePoint now);

 private:
  std::uint32_t& head_of(const Slot& slot);
  void fail_all(std::span<const std::uint32_t> indices, TimePoint now);

  CostState& state_;
  SlotTable& slots_;
  ProfileEvents& events_;
  Transfers& transfers_;
  Tasks& tasks_;
  Observers& observers_;
};

}  // namespace rehearse::cost
