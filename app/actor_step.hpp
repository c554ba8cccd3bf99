// SPDX-License-Identifier: MIT
//
// A step of an execution of actors, in words.
#pragma once

#include <string>

#include "simcore/time.hpp"

namespace rehearse::app {

struct ActorStep {
  std::string text;         // what happens
  std::string instead;      // the first other possibility, if it is an unusual decision; otherwise empty
  TimePoint at;             // after the step
  std::string place = {};   // "ring.cpp:12": where the actor continues; empty: unknown
  std::string values = {};  // that are published by the step: "busy@1 = 1"
  bool operator==(const ActorStep&) const = default;
};

}  // namespace rehearse::app
