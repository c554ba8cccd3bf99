// SPDX-License-Identifier: MIT
//
// Reads and writes by the program itself, which a program compiled with --check-memory reports.
//
// Threads: only from the rank's own fiber.
#pragma once

#include "smpi/buffers/footprint.hpp"
#include "smpi/buffers/watched.hpp"

namespace rehearse::smpi {

// The program uses this memory at `place`, a return address; reports what it must not: reading what a pending operation
// writes (buffer.read), writing what one reads or writes (buffer.written).
void report_access(const Span& bytes, bool stores, const void* place);
// The same of a function that copies the bytes, and uses them for nothing else.
void report_copying(const Span& bytes, const void* place);

// From now on accesses there are looked at.
void watch_span(const Span& hull);

constexpr std::int64_t widest_access = 16;  // of accesses that are reported by their first byte alone

// Whether an access of up to 16 bytes meets nothing that is pending, as the last looks know. Mostly the answer is yes.
inline bool is_clear(std::uintptr_t address, bool stores) { return watched.clear(stores).holds(address); }
// The same, where that does not know it; false: it may meet something.
inline bool is_clear_elsewhere(std::uintptr_t address, bool stores) {
  const std::uintptr_t end = watched.begin + watched.bytes;
  if (address < watched.begin || address >= end) {
    // A stretch between pending buffers is not given up for this one.
    if (ClearSpan& clear = watched.clear(stores); clear.bytes == 0)
      clear = address < end ? ClearSpan{0, watched.begin} : ClearSpan{end, all_memory.bytes - end};
    return true;
  }
  return watched.pieces != nullptr && watched.pieces->at(address, stores).holds(address);
}
inline bool may_be_pending(std::uintptr_t address, std::size_t bytes) {
  return watched.bytes > 0 && address < watched.begin + watched.bytes && address + bytes > watched.begin;
}

}  // namespace rehearse::smpi
