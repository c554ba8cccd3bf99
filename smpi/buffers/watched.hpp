// SPDX-License-Identifier: MIT
//
// What decides about nearly all of a program's own accesses: the addresses between which all pending buffers of the
// running rank lie, and pieces of memory there in which none does.
//
// Method:  a piece is an aligned block of memory, remembered by the page of the access that asked about it, one for
//          loads, which may read what operations read, and one for stores.
// Threads: thread-local, and so of the rank (see smpi/process/thread_block.hpp): saved and restored with it.
#pragma once

#include <array>
#include <cstdint>

namespace rehearse::smpi {

// Accesses of up to 16 bytes whose first byte lies in it meet nothing.
struct ClearPiece {
  std::uintptr_t begin = 0;
  std::uintptr_t bytes = 0;
};

class ClearPieces {
 public:
  ClearPiece& at(std::uintptr_t address, bool stores) { return pieces_[stores][address >> page_bits & (pages - 1)]; }

 private:
  static constexpr int page_bits = 12;
  static constexpr std::size_t pages = 32;
  std::array<std::array<ClearPiece, pages>, 2> pieces_{};
};

struct Watched {
  std::uintptr_t begin = 0;
  std::uintptr_t bytes = 0;      // 0: none is pending, or nobody looks
  ClearPieces* clear = nullptr;  // in the rank's memory; null: none is known
};

extern constinit thread_local Watched watched;

}  // namespace rehearse::smpi
