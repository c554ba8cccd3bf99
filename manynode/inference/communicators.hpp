// SPDX-License-Identifier: MIT
//
// The communicators of a program as colours: two ranks share one if their colours are equal.
//
// Numbers: each rank numbers its communicators in the order of their first calls; the world is 0. Ranks give the same
//          number to communicators of the same kind.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "manynode/inference/vocabulary.hpp"
#include "manynode/recorded_calls.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::manynode::inference {

// The communicators of a run by rank and number, as indices; the calls of the run get the numbers.
std::vector<std::vector<std::uint32_t>> number_communicators(RecordedRun& run);

// By number, from 1 on. `of_runs`: from number_communicators(). The error is the reason.
Result<std::vector<Term>> find_colours(const RecordedRuns& runs,
                                       const std::vector<std::vector<std::vector<std::uint32_t>>>& of_runs,
                                       const Vocabulary& vocabulary);

// Whether the colour gives the communicators with this number of a run.
bool is_colour(const Term& colour, std::size_t number, const RecordedRun& run,
               const std::vector<std::vector<std::uint32_t>>& of_run, const Vocabulary& vocabulary);

}  // namespace rehearse::manynode::inference
