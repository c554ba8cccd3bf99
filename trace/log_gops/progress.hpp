// SPDX-License-Identifier: MIT
//
// The state of an operation in a simulation, in 16 bytes.
#pragma once

#include <cstdint>
#include <limits>

namespace rehearse::trace::log_gops {

// Of an operation or of a link: there is none.
inline constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

inline constexpr std::uint32_t most_ranks = 1u << 30;

struct Progress {
  // Until it begins, the earliest date to do so; of a posted receive, its number; of a message that arrived, the date
  // at which its receiver has it.
  std::uint64_t date = 0;
  // Until it is free, the number of operations for which it waits; then the next one in a list of its receiver.
  std::uint32_t needs_or_next = 0;
  std::uint32_t rank : 30 = 0;
  std::uint32_t has_begun : 1 = 0;
  std::uint32_t is_done : 1 = 0;
};

}  // namespace rehearse::trace::log_gops
