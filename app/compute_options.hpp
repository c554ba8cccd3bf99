// SPDX-License-Identifier: MIT
//
// What the application's computation between two calls costs in simulated time.
#pragma once

#include <string>

#include "simcore/engine.hpp"

namespace rehearse::app {

struct ComputeOptions {
  std::string what = "none";  // measured, instructions, none; verbs that declare it have `measured`
  double scale = 1;
  double instructions_per_second = 3e9;

  bool is_counted() const { return what != "none"; }
};

void apply(const ComputeOptions& options, EngineOptions& engine);

// What predicted times and what rests on them have of it, as the end of a sentence: "computation takes as long as
// measured here (--compute measured)".
std::string describe(const ComputeOptions& options);

}  // namespace rehearse::app
