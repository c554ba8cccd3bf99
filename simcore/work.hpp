// SPDX-License-Identifier: MIT
//
// A computation of an actor's host as a request, beside the other operations of the actor: that of one of its threads.
//
// Units: flops, above 0.
#pragma once

#include "simcore/ids.hpp"

namespace rehearse {

// Starts `request`, which is complete when the volume is computed. Observation: empty; the Completion has no data. Only
// drivers in simulated time can do it.
struct Work {
  RequestId request;
  double flops = 0;
};

}  // namespace rehearse
