// SPDX-License-Identifier: MIT
//
// A step of an execution of actors, in words.
#pragma once

#include <string>

#include "simcore/time.hpp"

namespace rehearse::app {

struct ActorStep {
  std::string text;     // what happens
  std::string instead;  // the first other possibility, if it is an unusual decision; otherwise empty
  TimePoint at;         // after the step
  bool operator==(const ActorStep&) const = default;
};

}  // namespace rehearse::app
