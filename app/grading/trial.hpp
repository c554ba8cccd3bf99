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

// Where the programs are: the submission's, and the reference solution's if a trial needs it.
struct Programs {
  std::string submission, reference;
};

// `work`: a folder for this. Errors: what was specified cannot be tried (an option that is none, a reference that does
// not do what is expected).
Result<TrialResult> try_out(const Exercise& exercise, const Trial& trial, const Programs& programs,
                            const std::filesystem::path& work, bool reveal);

}  // namespace rehearse::app
