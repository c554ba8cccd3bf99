// SPDX-License-Identifier: MIT
//
// One body for all classes of ranks: calls that several classes make at the same place become one, and conditions
// select the classes.
//
// Method: longest common subsequences of a body and the next class, loops inside each other. Projected on a class, the
//         common body is the body of the class.
#pragma once

#include <optional>
#include <vector>

#include "manynode/inference/conditions.hpp"
#include "manynode/inference/program.hpp"

namespace rehearse::manynode::inference {

// Nothing: no condition selects the classes of some call.
std::optional<std::vector<Item>> merge(const std::vector<RankClass>& classes, const Conditions& conditions,
                                       const Vocabulary& vocabulary);

// A branch for each class, in the order of their rules.
std::vector<Item> in_branches(const std::vector<RankClass>& classes);

// Orders the classes and finds their rules. Nothing: done; otherwise the classes that no condition separates.
std::optional<std::vector<std::size_t>> find_rules(std::vector<RankClass>& classes, const Conditions& conditions,
                                                   const Vocabulary& vocabulary);

}  // namespace rehearse::manynode::inference
