// SPDX-License-Identifier: MIT
//
// Finds out whether memory on the calling rank's stack still belongs to the function that owned it when an operation
// began.
//
// Method: it does not if the program's stack pointer is above it now, or if the word that held the function's return
//         address has changed: the return address stays there as long as the function is active.
// Exact:  a function that is reported as over is over. A function that was called again at the same depth from the same
//         place is not distinguished from its earlier activation.
// Cost:   the first operation of a call site with a buffer at one distance from the stack pointer unwinds the stack (a
//         few microseconds per frame); later ones compare two words. Buffers elsewhere cost nothing.
// Threads: only from the rank's own fiber.
#pragma once

#include <cstdint>

namespace rehearse::smpi {

struct FrameMark {
  std::int64_t address = 0;              // of the memory; 0: it is not on the stack
  const std::uintptr_t* slot = nullptr;  // the place of the function's return address; null: not known
  std::uintptr_t returns_to = 0;
  const void* place = nullptr;  // in the function
};

FrameMark frame_mark(std::int64_t address);

// Whether the function has returned.
bool is_over(const FrameMark& mark);

// Whether the address is on the stack, where no function of the program is active.
bool is_on_dead_stack(std::int64_t address);
bool is_on_stack(std::int64_t address);

}  // namespace rehearse::smpi
