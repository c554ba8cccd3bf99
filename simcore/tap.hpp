// SPDX-License-Identifier: MIT
//
// Observes the seam of a timed run: each Operation with its Observation, and the costs that the engine adds. This is
// sufficient to request the same execution again.
//
// Order:     for each actor, the application code before an operation, then the operation when it is answered.
// Ownership: operations and observations are valid during the call. Program::site() is about the operation.
// Threads:   none.
#pragma once

#include "simcore/ids.hpp"
#include "simcore/matching.hpp"
#include "simcore/observation.hpp"
#include "simcore/operation.hpp"
#include "simcore/time.hpp"

namespace rehearse {

class Tap {
 public:
  virtual ~Tap() = default;
  // `took`: the time from the start of the operation to its answer.
  virtual void on_answer(ActorId actor, const Operation& operation, const Observation& answer, Duration took) = 0;
  // Application code before the next operation of the actor costs this number of flops, a whole number.
  virtual void on_application(ActorId actor, double flops, VolumeOrigin origin) = 0;
  // A receive with a wildcard gets its message. May come before on_answer() of the receive.
  virtual void on_wildcard_match(ActorId actor, RequestId receive, const Envelope& message) = 0;
  // The end of the run: the operation was not answered. Once for each actor.
  virtual void on_stop(ActorId actor, const Operation& operation) = 0;
};

}  // namespace rehearse
