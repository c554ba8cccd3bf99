// SPDX-License-Identifier: MIT
//
// Known durations of collectives: all members of such a collective end together, without messages.
//
// Sound for a network in which messages take no time, if every member needs every other: then all members end when the
// last one arrives, whatever the algorithm. For other networks it is a model of its own: the algorithm neither feels
// that members arrive at different dates, nor shares the network with other messages.
#pragma once

#include "simcore/collective_schedule.hpp"
#include "simcore/time.hpp"

namespace rehearse {

class CollectiveTimes {
 public:
  virtual ~CollectiveTimes() = default;
  // From the last arrival to the end. `hosts` of the shape are empty. Equal shapes have equal durations.
  virtual Duration duration(const CollectiveShape& shape) = 0;
};

}  // namespace rehearse
