// SPDX-License-Identifier: MIT
//
// Whether memory on the calling rank's stack still belongs to the function that had it when an operation began.
//
// Method: it does not if the stack pointer of the program is above it now, or if the word where that function's return
//         address was holds something else: it stays there as long as the function is active.
// Exact:  what is over is over. A function that was called again at the same depth from the same place is not
// distinguished from
//         its earlier activation.
// Cost:   the first operation of a call site with a buffer at one distance from the stack pointer unwinds the stack (a
//         few microseconds per frame); the others compare two words. Nothing for buffers elsewhere.
// Threads: only from the rank's own fiber.
#pragma once

#include <cstdint>

namespace rehearse::smpi {

struct FrameMark {
  std::int64_t address = 0;              // of the memory; 0: it is not on the stack
  const std::uintptr_t* slot = nullptr;  // where the function's return address is; null: not known
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
