// SPDX-License-Identifier: MIT
//
// What the ranks' own code between two calls costs in simulated time, as options of verbs.
#pragma once

#include <string>

#include "simcore/engine.hpp"

namespace CLI {
class App;
}

namespace rehearse::cli {

struct ComputeOptions {
  std::string what = "none";  // measured, instructions, none; verbs that declare it have `measured`
  double scale = 1;
  double instructions_per_second = 3e9;

  bool is_counted() const { return what != "none"; }
};

// Sets `measured`, which is what holds where the user says nothing.
void declare(CLI::App& app, ComputeOptions& options);

// The first of its options that the user gave; empty: none.
std::string given_compute_option(const CLI::App& app);

void apply(const ComputeOptions& options, EngineOptions& engine);

// What predicted times and what rests on them have of it, as the end of a sentence: "computation takes as long as
// measured here (--compute measured)".
std::string describe(const ComputeOptions& options);

}  // namespace rehearse::cli
