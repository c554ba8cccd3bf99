// SPDX-License-Identifier: MIT
//
// The known memory of the calling rank: blocks of its heap, global variables, and variables of active functions.
//
// Cost:   a global variable by a binary search; a block by one and a walk over a few headers; the stack: see
//         program_variables.hpp.
// Errors: what is not known, as in a stripped program, is Region::unknown.
#pragma once

#include <cstdint>

#include "smpi/process/program_variables.hpp"

namespace rehearse::smpi {

enum class Region : std::uint8_t {
  unknown,
  heap_block,
  free_heap,  // part of the heap that nobody has asked for, or that was freed
  variable,
  stack_variable
};

struct KnownMemory {
  Region region = Region::unknown;
  std::uintptr_t end = 0;                   // of the block or variable that contains the address
  std::uintptr_t limit = 0;                 // from here on there is something else for certain
  const DebugVariable* variable = nullptr;  // of the stack
};

KnownMemory known_memory(std::uintptr_t address);

// The variables that contain the address, by debugging information; not those of the heap, which has none.
PlacedVariables known_variables(std::uintptr_t address);

// The table of all that, for whoever keeps something for its variables; null: the rank's memory is not known.
ProgramVariables* program_variables();

// The pointers that point to an address of the heap. Valid until the next call; null: it is not in the heap.
const PointerTargets* pointer_targets(std::uintptr_t address);

}  // namespace rehearse::smpi
