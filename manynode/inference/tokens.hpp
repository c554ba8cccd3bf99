// SPDX-License-Identifier: MIT
//
// Calls as tokens: equal calls have equal tokens, and calls that differ only in their numbers have equal keys.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "manynode/inference/folding.hpp"
#include "manynode/recorded_calls.hpp"

namespace rehearse::manynode::inference {

// The numbers that are part of a key. Sizes: those that occur in every run.
enum class KeyLevel : std::uint8_t { sizes_and_tags, tags, calls };

class Tokens {
 public:
  Tokens(const RecordedRuns& runs, KeyLevel level);

  // By rank.
  std::vector<std::vector<Token>> of(const RecordedRun& run);

 private:
  using Numbers = std::vector<std::int64_t>;
  static Numbers numbers_of(const RecordedCall& call);
  Numbers key_of(const RecordedCall& call) const;

  KeyLevel level_;
  std::map<Numbers, std::uint32_t> keys_, exact_;
  std::map<Numbers, std::set<std::int64_t>> common_sizes_;  // by call without numbers
};

}  // namespace rehearse::manynode::inference
