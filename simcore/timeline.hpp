// SPDX-License-Identifier: MIT
//
// What happened when: told by the timed driver while it runs, for reports and pictures.
//
// Order:     per actor by time, without overlap; the intervals of different actors are interleaved as
//            they end.
// Ownership: the operation points into the actor's memory and is only valid during the call.
#pragma once

#include "simcore/ids.hpp"
#include "simcore/operation.hpp"
#include "simcore/time.hpp"

namespace rehearse {

class Timeline {
 public:
  virtual ~Timeline() = default;
  // The actor asked for this at `begin` and was answered at `end`.
  virtual void on_operation(ActorId actor, const Operation& operation, TimePoint begin,
                            TimePoint end) = 0;
  // The actor's own code between two operations was counted as this much time.
  virtual void on_computation(ActorId actor, TimePoint begin, TimePoint end) = 0;
};

}  // namespace rehearse
