// SPDX-License-Identifier: MIT
//
// Copies large blocks that may be mostly untouched memory: zeros that stay zero are not written, so that they take no
// memory.
//
// Threads: safe.
#pragma once

#include <cstddef>

namespace rehearse {

// From this size on, sparse copying is worth its cost: two comparisons of each page.
inline constexpr std::size_t sparse_copy_bytes = std::size_t{64} << 20;

// The content of the destination before the copy.
enum class Target { anything, zeros };

// The same as memcpy; the blocks do not overlap.
void copy_sparsely(std::byte* to, const std::byte* from, std::size_t bytes, Target target);

}  // namespace rehearse
