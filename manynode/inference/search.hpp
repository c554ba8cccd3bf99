// SPDX-License-Identifier: MIT
//
// Expressions that explain samples: peers, sizes, counts.
//
// Method: candidates from families, the shortest first; those that give the value of every sample are kept. Constants
//         of a family are computed from the first samples.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "manynode/inference/vocabulary.hpp"

namespace rehearse::manynode::inference {

enum class Wanted : std::uint8_t { peer, size, count };

struct Question {
  Wanted wanted = Wanted::size;
  std::vector<Sample> samples;             // not empty
  std::vector<std::size_t> counters = {};  // depths of the varying loops around
};

// All that explain the samples, the cheapest first; at most `most_answers`.
inline constexpr std::size_t most_answers = 300;
std::vector<Term> explain(const Vocabulary& vocabulary, const Question& question);

bool explains(const Vocabulary& vocabulary, const Term& term, const std::vector<Sample>& samples);

// If none explains all: the members (ranks of runs) that one expression explains, as many as possible.
std::set<std::uint32_t> explain_most(const Vocabulary& vocabulary, const Question& question);

}  // namespace rehearse::manynode::inference
