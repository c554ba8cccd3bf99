// SPDX-License-Identifier: MIT
//
// The fast test for the program's memory accesses: three steps recognise addresses at which no buffer is pending.
//
// Method:  first, the clear stretch of memory between pending buffers that the last search found: one for loads, which
//          may read memory that operations read, and one for stores. Second, the hull of all pending buffers. Third,
//          clear pieces of memory within this hull: aligned blocks, found by the page of the access, for programs that
//          alternate between several stretches. If the second and the third step are often needed, what they found
//          becomes the clear stretch, which programs test without a call.
// Threads: thread-local, so each rank has its own (see smpi/process/thread_block.hpp), saved and restored with the
//          rank.
#pragma once

#include <array>
#include <cstdint>

namespace rehearse::smpi {

class ExposedMemory;

// Accesses of up to 16 bytes whose first byte is in it meet no pending buffer.
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
  std::uintptr_t begin = 0;       // of the hull of all pending buffers
  std::uintptr_t bytes = 0;       // 0: no buffer is pending, or accesses are not checked
  ClearPieces* pieces = nullptr;  // in the rank's memory; null: none is known
  std::uint32_t late_hits = 0;    // of the second and the third step
  // Memory that meets no pending buffer, and in which accesses are noted, because others may access it (exposed.hpp).
  ClearSpan exposed_loads = {};
  ClearSpan exposed_stores = {};
  ExposedMemory* exposing = nullptr;  // notes them; not null if one of them is not empty

  ClearSpan& exposed(bool stores) { return stores ? exposed_stores : exposed_loads; }
  ClearSpan& clear(bool stores) { return stores ? clear_stores : clear_loads; }

  // An access of this kind is in another clear span than clear(stores).
  void hit(const ClearSpan& other, bool stores) {
    constexpr std::uint32_t most_hits = 8;
    if (clear(stores).bytes != 0 && ++late_hits % most_hits != 0) return;
    clear(stores) = other;
  }
};

// Defined in the executable, not in a library, so its distance from the thread pointer is fixed.
extern constinit thread_local Watched watched [[gnu::tls_model("initial-exec")]];

}  // namespace rehearse::smpi
