// SPDX-License-Identifier: MIT
//
// See thread_clock.hpp.
#include "smpi/process/thread_clock.hpp"

#include <algorithm>
#include <utility>

#include "simcore/application_meter.hpp"

namespace rehearse::smpi {

// The core is the one that became free last before the thread's moment, so that few gaps stay; if there is none, the
// first that becomes free.
void ThreadClock::book(ThreadMoment& thread, ApplicationMeter* meter) {
  const double stated_now = std::exchange(stated, 0);
  const double work = stated_now + (meter == nullptr ? 0 : meter->take());
  if (work <= 0) return;
  double* best = &cores.front();
  for (double& core : cores) {
    const bool fits = core <= thread.total, best_fits = *best <= thread.total;
    if (fits != best_fits ? fits : fits ? core > *best : core < *best) best = &core;
  }
  thread.total = std::max(thread.total, *best) + work;
  thread.stated += stated_now;
  *best = thread.total;
}

}  // namespace rehearse::smpi
