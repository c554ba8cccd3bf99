// SPDX-License-Identifier: MIT
//
// Traces as recorded runs for the inference of skeletons.
//
// Errors: of a trace; an action that no skeleton can have.
#pragma once

#include <string>
#include <vector>

#include "manynode/recorded_calls.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

// In rising order of their numbers of ranks, which must differ.
Result<manynode::RecordedRuns> read_runs(const std::vector<std::string>& traces);

}  // namespace rehearse::app
