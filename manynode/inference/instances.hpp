// SPDX-License-Identifier: MIT
//
// The calls of one rank, read with the shape of another: passes of each loop, and the numbers of each call.
//
// Method: a varying loop takes as many passes as it can. An exact loop takes the shortest first pass that repeats; if
//         there are several, one that repeats as often as the loop of the shape.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "manynode/inference/folding.hpp"
#include "manynode/recorded_calls.hpp"

namespace rehearse::manynode::inference {

// Of a Shape.
struct Instance {
  std::uint64_t times = 0;                    // of a loop
  std::vector<std::vector<Instance>> passes;  // of a loop; of an exact one the first only
  const RecordedCall* call = nullptr;         // of a call: the first time
  double seconds = 0;                         // of computation before the call, in total
  std::uint64_t occurrences = 0;
  std::vector<std::uint32_t> sites_before = {};  // of calls that came before it, each once
};

// Nothing: the calls do not have this shape. Calls and tokens of a rank are parallel.
std::optional<std::vector<Instance>> parse(const std::vector<Shape>& shapes, std::span<const Token> tokens,
                                           std::span<const RecordedCall> calls);

}  // namespace rehearse::manynode::inference
