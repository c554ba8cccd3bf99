// SPDX-License-Identifier: MIT
//
// Whether a skeleton, executed rank by rank, makes the calls of a recorded run.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "manynode/recorded_calls.hpp"
#include "manynode/skeleton.hpp"

namespace rehearse::app {

// The first difference, with its rank. Nothing: the calls are the same. Sizes of receives are not compared.
std::optional<std::string> find_difference(const std::shared_ptr<const manynode::Skeleton>& skeleton,
                                           const manynode::RecordedRuns& runs, const manynode::RecordedRun& run);

}  // namespace rehearse::app
