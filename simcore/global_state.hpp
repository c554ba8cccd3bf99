// SPDX-License-Identifier: MIT
//
// A state of all actors together that is possible in some order of the events of one execution, and that contradicts a
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
  ActorId declared_by;    // an actor that did
  Location declared_at;
  std::string missing;  // what it asks about and nobody publishes: then it could not be judged; empty: nothing

  // What an actor had published last, of what the predicate asks about.
  struct Value {
    ActorId actor;
    std::string name;
    std::int64_t value = 0;
    Location published;
  };
  std::vector<Value> values;
  Schedule schedule;  // of the execution
};

// Makes findings of a state that a predicate speaks against.
using StateReporter = std::function<std::vector<Finding>(const GlobalState&)>;

}  // namespace rehearse
