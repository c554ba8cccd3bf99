// SPDX-License-Identifier: MIT
//
// A state of all actors that is possible in some order of the events of one execution, and that contradicts a
// predicate.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "simcore/finding.hpp"
#include "simcore/ids.hpp"

namespace rehearse {

struct GlobalState {
  bool is_never = true;   // the predicate must be true in no state; otherwise in all
  std::string predicate;  // its text
  ActorId declared_by;    // an actor that declared it
  Location declared_at;
  std::string missing;  // a value of it that nobody publishes, so it was not judged; empty: none

  // The last published value of an actor, for a name in the predicate.
  struct Value {
    ActorId actor;
    std::string name;
    std::int64_t value = 0;
    Location published;
  };
  std::vector<Value> values;
  Schedule schedule;  // replays the execution
};

// Makes findings of a state that contradicts a predicate.
using StateReporter = std::function<std::vector<Finding>(const GlobalState&)>;

}  // namespace rehearse
