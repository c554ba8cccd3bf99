// SPDX-License-Identifier: MIT
//
// The addresses between which all pending buffers of the running rank lie, where the program's own accesses are looked
// at: what decides about nearly all of them.
//
// Threads: thread-local, and so of the rank (see smpi/process/thread_block.hpp): saved and restored with it.
#pragma once

#include <cstdint>

namespace rehearse::smpi {

struct Watched {
  std::uintptr_t begin = 0;
  std::uintptr_t bytes = 0;  // 0: none is pending, or nobody looks
};

extern constinit thread_local Watched watched;

}  // namespace rehearse::smpi
