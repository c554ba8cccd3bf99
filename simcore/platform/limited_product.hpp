// SPDX-License-Identifier: MIT
//
// Products of counts in a description. A product beyond all limits becomes `too_many` and stays so.
#pragma once

#include <cstdint>
#include <string>

namespace rehearse::platform {

inline constexpr std::uint64_t too_many = std::uint64_t{1} << 40;

inline std::uint64_t limited_product(std::uint64_t a, std::uint64_t b) {
  if (a == 0 || b == 0) return 0;
  return a >= too_many / b ? too_many : a * b;
}

inline std::uint64_t limited_sum(std::uint64_t a, std::uint64_t b) { return a + b >= too_many ? too_many : a + b; }

inline std::string number_or_more(std::uint64_t count) {
  return count >= too_many ? "more than 10^12" : std::to_string(count);
}

}  // namespace rehearse::platform
