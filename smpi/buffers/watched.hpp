// SPDX-License-Identifier: MIT
//
// The fast test of a program's memory accesses: three steps decide for addresses at which nothing is pending.
//
// Method:  first, the stretch of memory between pending buffers in which the last look found nothing: one for loads,
//          which may read what operations read, and one for stores. Then the addresses between which all pending
//          buffers lie. Then pieces of memory there in which nothing is pending: aligned blocks, remembered by the page
//          of the access that asked about it, for programs that go to and fro between several stretches.
// Threads: thread-local, and so of the rank (see smpi/process/thread_block.hpp): saved and restored with it.
#pragma once

#include <array>
#include <cstdint>

namespace rehearse::smpi {

// Accesses of up to 16 bytes whose first byte lies in it meet nothing.
struct ClearSpan {
  std::uintptr_t begin = 0;
  std::uintptr_t bytes = 0;

  bool holds(std::uintptr_t address) const { return address - begin < bytes; }
};

constexpr ClearSpan all_memory{0, ~std::uintptr_t{0}};

class ClearPieces {
 public:
  ClearSpan& at(std::uintptr_t address, bool stores) { return pieces_[stores][address >> page_bits & (pages - 1)]; }

 private:
  static constexpr int page_bits = 12;
  static constexpr std::size_t pages = 32;
  std::array<std::array<ClearSpan, pages>, 2> pieces_{};
};

struct Watched {
  ClearSpan clear_loads = all_memory;
  ClearSpan clear_stores = all_memory;
  std::uintptr_t begin = 0;       // of all that is pending
  std::uintptr_t bytes = 0;       // 0: nothing is pending, or nobody looks
  ClearPieces* pieces = nullptr;  // in the rank's memory; null: none is known

  ClearSpan& clear(bool stores) { return stores ? clear_stores : clear_loads; }
};

// The program holds it, and no library does: it is addressed at a fixed distance from the thread pointer.
extern constinit thread_local Watched watched [[gnu::tls_model("initial-exec")]];

}  // namespace rehearse::smpi
