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
    output,   // the actor's output
    sends,    // its sent messages
    results,  // its published results
    match,    // the source of the message that a wildcard takes
  } kind = Kind::output;
  ActorId actor;
  std::vector<ActorId> also;  // actors with the same difference at the same place
  Location where;             // place of the actor at the first difference; of a match: the receive

  // One of the two executions.
  struct Side {
    Schedule schedule;           // replays it
    std::vector<ActorId> taken;  // of a match: the senders of its messages, in order
    std::vector<Location> sent;  // places of these sends
  };
  Side one, other;  // `one` comes first in the order of the exploration
};

// Makes findings of a difference. Empty: the difference is not reported.
using DifferenceReporter = std::function<std::vector<Finding>(const Difference&)>;

}  // namespace rehearse
