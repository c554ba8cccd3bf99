// SPDX-License-Identifier: MIT
//
// Two legal executions that differ. Only an exploration of several executions can find a difference. Data; a
// DifferenceReporter (properties/) makes findings of it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "simcore/finding.hpp"
#include "simcore/ids.hpp"

namespace rehearse {

struct Difference {
  enum class Kind {
    output,   // what the actor writes
    sends,    // what it sends
    results,  // what it says that it has computed
    match,    // whose message it takes at a place where it takes any
  } kind = Kind::output;
  ActorId actor;
  std::vector<ActorId> also;  // actors of which the same can be said at the same place
  Location where;             // the actor stood when it was first seen; of a match: what takes the message

  // One of the two executions.
  struct Side {
    Schedule schedule;           // replays it
    std::vector<ActorId> taken;  // of a match: who sent the messages that it takes, in its order
    std::vector<Location> sent;  // and where
  };
  Side one, other;  // `one` comes first in the order of the exploration
};

// Makes findings of a difference; none: it is not worth reporting.
using DifferenceReporter = std::function<std::vector<Finding>(const Difference&)>;

}  // namespace rehearse
