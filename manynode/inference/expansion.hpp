// SPDX-License-Identifier: MIT
//
// The calls of an inferred program at one rank, compared with recorded ones.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "manynode/inference/program.hpp"

namespace rehearse::manynode::inference {

struct Mismatch {
  std::uint64_t call = 0;                // number of the recorded call, from 0 on
  std::optional<RecordedCall> expected;  // nothing: the program has no more calls
  std::optional<std::string> bad_value;  // an expression without an integer as value
};

// The first difference. `names`: values of the vocabulary at the rank. Numbers that the program leaves out do not
// count.
std::optional<Mismatch> compare(const std::vector<Item>& program, const std::vector<double>& names,
                                std::span<const RecordedCall> recorded,
                                const std::vector<std::vector<std::int64_t>>& parts);

}  // namespace rehearse::manynode::inference
