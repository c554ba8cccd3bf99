// SPDX-License-Identifier: MIT
//
// What is known of the calling rank's memory: blocks of its heap and global variables of its program.
//
// Cost:   the stack is told at once; a variable by a binary search; a block by one and a walk over a few headers.
// Errors: what is not known, as in a stripped program, is Region::unknown.
#pragma once

#include <cstdint>

namespace rehearse::smpi {

enum class Region : std::uint8_t {
  unknown,
  heap_block,
  free_heap,  // part of the heap that nobody has asked for, or that was freed
  variable
};

struct KnownMemory {
  Region region = Region::unknown;
  std::uintptr_t end = 0;  // of the block or variable that contains the address
};

KnownMemory known_memory(std::uintptr_t address);

}  // namespace rehearse::smpi
