// SPDX-License-Identifier: MIT
//
// The world of the kernel's actors: it selects the next actor, ends activities, and gives the date.
//
// Protocol: step() makes the next events happen: it runs actors (Scheduler::run_ready,
//           Scheduler::run_actor), ends activities (Activities::finish), or rings alarms (Kernel::ring).
// Threads:  none.
#pragma once

#include <cstdint>
#include <string_view>

#include "simcore/cost_model.hpp"
#include "simcore/kernel/records.hpp"
#include "simcore/time.hpp"

namespace rehearse::sim::kernel {

class Causality;
class FarSide;

class World {
 public:
  virtual ~World() = default;

  virtual void attach(Kernel& kernel) = 0;
  virtual CostModel& costs() = 0;
  virtual TimePoint now() const = 0;

  // Makes the next events happen, no later than `until`. False: there are none; the date is then `until`, if that is
  // finite.
  virtual bool step(TimePoint until) = 0;

  // The date of the next events: now if actors can run. `never`: nothing is left to happen.
  virtual TimePoint next_date() { return now(); }

  // Whether each object gets a number of its own. Otherwise states can come again, also in the bytes of records.
  virtual bool numbers_objects() const { return true; }

  // Whether actors may hand over to each other in the order in which they become ready, without a call of step().
  virtual bool runs_in_order() const = 0;

  // The running actor is about to make an action that others could notice.
  virtual void before(const Footprint& footprint) = 0;

  // The running actor makes an action that others could notice and that it has not announced by before().
  virtual void strays() = 0;

  // Null: races are not looked for.
  virtual Causality* causality() { return nullptr; }

  // A plain access to a shared variable, where causality() is null.
  virtual void plain_access() {}

  // The running actor reads the date.
  virtual void date_is_read() {}

  // Activities that cross the link fail, if the cost model does not report this itself.
  virtual void link_went_off(LinkId link) = 0;

  // Begins an activity that takes time; false: there is no route.
  virtual bool start(ActivityRecord& activity) = 0;
  virtual void stop(ActivityRecord& activity) = 0;  // an activity that has begun is dropped without an end
  virtual void suspend(ActivityRecord& activity) = 0;
  virtual void resume(ActivityRecord& activity) = 0;
  virtual void set_rate(ActivityRecord& activity) = 0;      // to its `limit`
  virtual void set_priority(ActivityRecord& activity) = 0;  // to its `priority`
  virtual void set_host(ActivityRecord& activity) = 0;      // to its `host`
  virtual double remaining(ActivityRecord& activity) = 0;
  virtual double rate(ActivityRecord& activity) = 0;

  virtual void set_timer(Timer& timer, TimePoint date) = 0;
  virtual void cancel_timer(Timer& timer) = 0;

  // Null: all actors are in this process.
  virtual FarSide* far_side() { return nullptr; }
};

}  // namespace rehearse::sim::kernel
