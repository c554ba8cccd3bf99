// SPDX-License-Identifier: MIT
//
// An inferred program as the text of a skeleton.
#pragma once

#include <string>
#include <vector>

#include "manynode/inference/attempt.hpp"
#include "manynode/skeleton_inference.hpp"

namespace rehearse::manynode::inference {

SkeletonText describe(const RecordedRuns& runs, const Vocabulary& vocabulary, const Inferred& inferred,
                      const std::vector<Term>& colours);

}  // namespace rehearse::manynode::inference
