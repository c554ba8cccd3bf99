// SPDX-License-Identifier: MIT
//
// One run of a program in simulated time, with what is wrong with it: what `run` and `replay` share.
#pragma once

#include <string>
#include <vector>

#include "cli/machine.hpp"
#include "simcore/engine.hpp"
#include "simcore/finding.hpp"
#include "simcore/program.hpp"

namespace rehearse::cli {

struct TimedRun {
  RunResult result;
  std::vector<Finding> findings;
  std::vector<std::string> unsupported;  // why nothing can be said
};

// Uses up the machine's cost model.
Result<TimedRun> run_timed(Program& program, Machine& machine, EngineOptions options);

int exit_status_of(const TimedRun& run);

}  // namespace rehearse::cli
