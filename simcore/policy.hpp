// SPDX-License-Identifier: MIT
//
// A policy: which sends wait for their receive, and which members of a collective wait for which.
//
// Errors: one line with the given text and the accepted ones.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "simcore/support/result.hpp"

namespace rehearse {

struct Policy {
  static constexpr std::uint64_t infinite = std::numeric_limits<std::uint64_t>::max();
  // Each standard send may complete at once or wait until it is matched, whatever the others do: all choices together.
  static constexpr std::uint64_t mixed = infinite - 1;
  // A standard send completes at once while the unmatched payload from its actor to its destination, itself included,
  // is at most this. Otherwise it completes when it is matched or when earlier payload has been taken and it fits.
  std::uint64_t eager_bytes = infinite;
  // Every member of a collective waits for all members; otherwise only for those whose data it needs.
  bool synchronising = false;
  bool is_mixed() const { return eager_bytes == mixed; }
  bool operator==(const Policy&) const = default;
};

// "infinite", "zero", "eager:4096", "mixed"; followed by "+synchronising" if that is set.
std::string to_text(const Policy& policy);

// The inverse of to_text.
Result<Policy> parse_policy(std::string_view text);

}  // namespace rehearse
