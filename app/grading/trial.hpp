// SPDX-License-Identifier: MIT
//
// Tries one expectation of an exercise: runs rehearse check or rehearse run in a separate process.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/exercise.hpp"
#include "app/grade.hpp"

namespace rehearse::app {

// The paths of the programs: the submission's, and the reference solution's if a trial needs it.
struct Programs {
  std::string submission, reference;
};

// `work`: a folder for the trial. Errors: the trial cannot be carried out as specified (an unknown option, a reference
// without the expected result).
Result<TrialResult> try_out(const Exercise& exercise, const Trial& trial, const Programs& programs,
                            const std::filesystem::path& work, bool reveal);

}  // namespace rehearse::app
