// SPDX-License-Identifier: MIT
//
// Pages of memory, as large as the processor's are (x86-64).
#pragma once

#include <cstddef>
#include <cstdint>

namespace rehearse {

inline constexpr std::size_t page_bytes = 4096;

// The begin of the page that an address is in, and the next from which a page begins.
constexpr std::uint64_t page_floor(std::uint64_t value) { return value / page_bytes * page_bytes; }
constexpr std::uint64_t page_ceiling(std::uint64_t value) { return page_floor(value + page_bytes - 1); }

}  // namespace rehearse
