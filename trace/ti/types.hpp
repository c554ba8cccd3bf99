// SPDX-License-Identifier: MIT
//
// Sizes of the datatypes that time-independent traces name by numbers.
//
// Source: SimGrid's documentation and the traces that it writes, on x86-64.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace rehearse::trace::ti {

// 0: there is none of that number.
inline constexpr std::array<std::uint8_t, 60> type_sizes = {
    8, 4,  1, 2,  8,  4, 1,  8,  1, 1,  2,  4,  8,  8,  16, 4, 1,  1,  2, 4,  // double, int, char ... unsigned 32 bit
    8, 1,  2, 4,  8,  8, 16, 32, 8, 8,  8,  16, 16, 8,  8,  8, 16, 16, 4, 4,  // 64 bit ... Fortran's logical, integer
    8, 16, 8, 16, 16, 4, 2,  4,  8, 16, 32, 1,  8,  16, 32, 0, 0,  1,  8, 8};

inline std::optional<std::uint64_t> size_of_type(std::int64_t number) {
  if (number < 0 || number >= static_cast<std::int64_t>(type_sizes.size())) return std::nullopt;
  const std::uint8_t size = type_sizes[static_cast<std::size_t>(number)];
  return size == 0 ? std::nullopt : std::optional<std::uint64_t>(size);
}

}  // namespace rehearse::trace::ti
