// SPDX-License-Identifier: MIT
//
// One fault in the program, as judges return it and reports print it.
#pragma once

#include <string>
#include <vector>

#include "simcore/finding_id.hpp"
#include "simcore/ids.hpp"
#include "simcore/policy.hpp"
#include "simcore/schedule.hpp"

namespace rehearse {

enum class Severity { error, warning, note };

// A place in the user's program and the action of the actor there.
struct Location {
  ActorId actor;
  std::string call;  // as in source code, with its arguments
  std::string file;  // empty: unknown
  int line = 0;
  std::string function;  // the function that contains the call
  std::string what;      // "waits for a message from rank 1, tag 7"
};

struct Finding {
  FindingId id;
  Severity severity = Severity::error;
  std::string message;
  std::vector<Policy> policies;  // under which it happens, the one of the witness first; empty: all
  std::vector<ActorId> actors;
  std::vector<Location> locations;
  Witness witness;                             // reproduces it (schedule.hpp)
  std::string advice;                          // empty: the advice of the catalogue for the id
  std::vector<std::vector<ActorId>> likewise;  // other groups of actors with the same finding at the same places
};

}  // namespace rehearse
