// SPDX-License-Identifier: MIT
//
// The cost of computation between two calls in simulated time.
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

// The assumption about computation in predicted times, as the end of a sentence: "computation takes as long as measured
// here (--compute measured)".
std::string describe(const ComputeOptions& options);

}  // namespace rehearse::app
