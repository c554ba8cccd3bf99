// SPDX-License-Identifier: MIT
//
// From words to options of the engine.
#include "cli/compute_options.hpp"

#include <cstdio>

#include "cli/verb_options.hpp"

namespace rehearse::cli {

void declare(CLI::App& app, ComputeOptions& options) {
  options.what = "measured";
  app.add_option("--compute", options.what,
                 "computation between calls takes as long as here, as its instructions, or no time")
      ->check(one_of({"measured", "instructions", "none"}));
  app.add_option("--compute-scale", options.scale, "factor of measured computation (1)")->check(positive_number());
  app.add_option("--instruction-rate", options.instructions_per_second,
                 "instructions per second, with --compute instructions (3e9)")
      ->check(positive_number());
}

std::string given_compute_option(const CLI::App& app) {
  for (const char* name : {"--compute", "--compute-scale", "--instruction-rate"})
    if (app.count(name) > 0) return name;
  return "";
}

void apply(const ComputeOptions& options, EngineOptions& engine) {
  engine.own_code = options.what == "none"           ? OwnCode::none
                    : options.what == "instructions" ? OwnCode::instructions
                                                     : OwnCode::measured;
  engine.compute_scale = options.scale;
  engine.seconds_per_instruction = 1 / options.instructions_per_second;
}

std::string describe(const ComputeOptions& options) {
  if (!options.is_counted()) return "computation takes no time (--compute none)";
  std::string text = options.what == "measured" ? "computation takes as long as it was measured to take here"
                                                : "computation takes as long as its instructions";
  char scale[48] = "";
  if (options.scale != 1) std::snprintf(scale, sizeof scale, ", times %g", options.scale);
  return text + scale + " (--compute " + options.what + ")";
}

}  // namespace rehearse::cli
