// SPDX-License-Identifier: MIT
//
// From words to options of the engine.
#include "app/compute_options.hpp"

#include <cstdio>

namespace rehearse::app {

void apply(const ComputeOptions& options, EngineOptions& engine) {
  engine.application_cost = options.what == "none"           ? ApplicationCost::none
                            : options.what == "instructions" ? ApplicationCost::instructions
                                                             : ApplicationCost::measured;
  engine.compute_scale = options.scale;
  engine.seconds_per_instruction = 1 / options.instructions_per_second;
}

std::string describe(const ComputeOptions& options) {
  if (!options.is_counted()) return "computation takes no time (--compute none)";
  std::string text = options.what == "sampled"    ? "computation takes times drawn from those that were measured"
                     : options.what == "measured" ? "computation takes as long as it was measured to take here"
                                                  : "computation takes as long as its instructions";
  char scale[48] = "";
  if (options.scale != 1) std::snprintf(scale, sizeof scale, ", times %g", options.scale);
  return text + scale + " (--compute " + options.what + ")";
}

}  // namespace rehearse::app
