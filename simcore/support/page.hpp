// SPDX-License-Identifier: MIT
//
// Pages of memory of the size of the processor (x86-64).
#pragma once

#include <cstddef>
#include <cstdint>

namespace rehearse {

inline constexpr std::size_t page_bytes = 4096;

// Rounds an address down or up to the beginning of a page.
constexpr std::uint64_t page_floor(std::uint64_t value) { return value / page_bytes * page_bytes; }
constexpr std::uint64_t page_ceiling(std::uint64_t value) { return page_floor(value + page_bytes - 1); }

}  // namespace rehearse
