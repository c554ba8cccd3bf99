// SPDX-License-Identifier: MIT
//
// One thing that is wrong with the program: what every judge reports and every report prints.
#pragma once

#include <string>
#include <vector>

#include "simcore/finding_id.hpp"
#include "simcore/ids.hpp"
#include "simcore/schedule.hpp"

namespace rehearse {

enum class Severity { error, warning, note };

// A place in the user's program and what the actor does there.
struct Location {
  ActorId actor;
  std::string call;      // as it would be written, with its arguments spelled out
  std::string file;      // empty: unknown
  int line = 0;
  std::string function;  // that contains the call
  std::string what;      // "waits for a message from rank 1, tag 7"
};

struct Finding {
  FindingId id;
  Severity severity = Severity::error;
  std::string message;
  std::vector<std::string> policies;  // buffering and collective policies under which it happens; empty: all
  std::vector<ActorId> actors;
  std::vector<Location> locations;
  Witness witness;     // makes it happen again
  std::string advice;    // what to do; empty: what is always said of the id
  std::vector<std::vector<ActorId>> likewise;  // the same happens, at the same places, to these instead of `actors`
};

}  // namespace rehearse
