// SPDX-License-Identifier: MIT
//
// The world of the kernel's actors: it selects the next actor, ends activities, and gives the date.
//
// Protocol: step() lets something happen, if anything can: runs actors (Kernel::run_ready, Kernel::run_actor), ends
//           activities (Kernel::finish), rings alarms (Kernel::ring).
// Threads:  none.
#pragma once

#include <cstdint>
#include <string_view>

#include "simcore/cost_model.hpp"
#include "simcore/kernel/records.hpp"
#include "simcore/time.hpp"

namespace rehearse::sim::kernel {

class World {
 public:
  virtual ~World() = default;

  virtual void attach(Kernel& kernel) = 0;
  virtual CostModel& costs() = 0;
  virtual TimePoint now() const = 0;

  // Lets something happen no later than `until`; false: nothing can. The date is `until` then, if that is finite.
  virtual bool step(TimePoint until) = 0;

  // Whether actors may hand over to each other in the order in which they can run, without asking here.
  virtual bool runs_in_order() const = 0;

  // The running actor is about to do something that others could notice.
  virtual void before(const Footprint& footprint) = 0;

  // The running actor does something that others could notice and that it did not announce.
  virtual void strays() = 0;

  // What is in progress across the link is lost, if the cost model does not say so itself.
  virtual void link_went_off(LinkId link) = 0;

  // Begins an activity that takes time; false: there is no route.
  virtual bool start(ActivityRecord& activity) = 0;
  virtual void stop(ActivityRecord& activity) = 0;  // begun, not ended: it is forgotten
  virtual void suspend(ActivityRecord& activity) = 0;
  virtual void resume(ActivityRecord& activity) = 0;
  virtual void set_rate(ActivityRecord& activity) = 0;      // to its `limit`
  virtual void set_priority(ActivityRecord& activity) = 0;  // to its `priority`
  virtual void set_host(ActivityRecord& activity) = 0;      // to its `host`
  virtual double remaining(ActivityRecord& activity) = 0;
  virtual double rate(ActivityRecord& activity) = 0;

  virtual void set_timer(Timer& timer, TimePoint date) = 0;
  virtual void cancel_timer(Timer& timer) = 0;
};

}  // namespace rehearse::sim::kernel
