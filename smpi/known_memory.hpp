// SPDX-License-Identifier: MIT
//
// The known memory of the calling rank: blocks of its heap, global variables, and variables of active functions.
//
// Cost:   a global variable needs a binary search; a block needs one and a walk over a few headers; the stack: see
//         program_variables.hpp.
// Errors: unknown memory, as in a stripped program, is Region::unknown.
#pragma once

#include <cstdint>

#include "smpi/process/program_variables.hpp"

namespace rehearse::smpi {

enum class Region : std::uint8_t {
  unknown,
  heap_block,
  free_heap,  // part of the heap that was never allocated or has been freed
  variable,
  stack_variable
};

struct KnownMemory {
  Region region = Region::unknown;
  std::uintptr_t end = 0;                   // of the block or variable that contains the address
  std::uintptr_t limit = 0;                 // where the next object certainly begins
  const DebugVariable* variable = nullptr;  // only of the stack
};

KnownMemory known_memory(std::uintptr_t address);

// The variables that contain the address, from debugging information. Empty for the heap.
PlacedVariables known_variables(std::uintptr_t address);

// The table of the rank's variables, for callers that store data for its entries; null: the rank's memory is not known.
ProgramVariables* program_variables();

// The pointers that point to an address of the heap. Valid until the next call; null: it is not in the heap.
const PointerTargets* pointer_targets(std::uintptr_t address);

}  // namespace rehearse::smpi
