// SPDX-License-Identifier: MIT
//
// Copies large blocks that may be mostly untouched memory: zeros that stay zero are not written, so that they take no
// memory.
//
// Threads: safe.
#pragma once

#include <cstddef>

namespace rehearse {

// From so many bytes on it is worth the look: below, pages of their own and two looks at each cost more than they save.
inline constexpr std::size_t sparse_copy_bytes = std::size_t{64} << 20;

// What the destination holds before.
enum class Target { anything, zeros };

// The same as memcpy; the blocks do not overlap.
void copy_sparsely(std::byte* to, const std::byte* from, std::size_t bytes, Target target);

}  // namespace rehearse
