// SPDX-License-Identifier: MIT
//
// Memory that was allocated and never written, and is sent. Of programs that were compiled with --check-memory.
//
// Method: blocks of malloc begin as words that nobody else writes; where a message has them, nobody wrote there.
//         Copies of such memory, by assignment or memcpy, are found, too.
// Exact:  eight bytes at an address divisible by eight, or a message of four bytes, that happen to be the words: one
//         in 2^64, and one in 2^32. Less than that is padding, and not told.
// Limits: of each block the first 256 KiB are marked, of a message the first MiB is looked at. Nothing on the stack.
#pragma once

#include <cstddef>

#include "smpi/collective/blocks.hpp"

namespace rehearse::smpi {

void mark_unwritten(void* block, std::size_t bytes);

// Reports it, once for each place that sends it (buffer.uninitialized).
void check_written(const Blocks& sent);

}  // namespace rehearse::smpi
