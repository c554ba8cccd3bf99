// SPDX-License-Identifier: MIT
//
// The allocations of the program and its libraries on a rank: large ones may be folded (smpi/folding.hpp). Rehearse's
// own functions on a rank allocate by malloc itself, whose memory is never folded.
//
// Errors:  null and errno, as malloc. Arrays that need more mappings than the kernel allows end the rank (given up).
// Threads: only on a rank.
#pragma once

#include <cstddef>

namespace rehearse::smpi {

void* program_malloc(std::size_t bytes);

// Memory of whole pages that read as zero while it is private, if the size is one that is folded automatically;
// otherwise null.
void* folded_allocation(std::size_t alignment, std::size_t bytes);

}  // namespace rehearse::smpi
