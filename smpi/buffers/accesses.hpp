// SPDX-License-Identifier: MIT
//
// Checks of the program's own reads and writes, which a program compiled with --check-memory reports.
//
// Threads: only from the rank's own fiber.
#pragma once

#include "smpi/buffers/footprint.hpp"
#include "smpi/buffers/watched.hpp"

namespace rehearse::smpi {

// The program accesses this memory at `place`, a return address. Reports forbidden accesses: a read of memory that a
// pending operation writes (buffer.read), a write to memory that a pending operation reads or writes (buffer.written).
void report_access(const Span& bytes, bool stores, const void* place);
// The same for a function that only copies the bytes.
void report_copying(const Span& bytes, const void* place);

// An access to `bytes`, in memory of watched.exposed(), shows that no access in `memory` need be noted.
void note_clear_memory(const Span& memory, const Span& bytes, bool stores);

// Checks accesses to this memory from now on.
void watch_span(const Span& hull);
// Checks all accesses, for the order of threads (smpi/process/thread_order.hpp), and again only those that can matter.
void watch_all();
void watch_needed();

constexpr std::int64_t widest_access = 16;  // bytes, of accesses that are known by their first byte only

// Whether earlier searches have shown that an access of up to 16 bytes meets no pending buffer. Usually true.
inline bool is_clear(std::uintptr_t address, bool stores) { return watched.clear(stores).holds(address); }
// The same by slower tests, if is_clear() is false. False: the access may meet a pending buffer.
inline bool is_clear_elsewhere(std::uintptr_t address, bool stores) {
  const std::uintptr_t end = watched.begin + watched.bytes;
  if (address < watched.begin || address >= end) {
    watched.hit(address < end ? ClearSpan{0, watched.begin} : ClearSpan{end, all_memory.bytes - end}, stores);
    return true;
  }
  if (watched.pieces == nullptr) return false;
  const ClearSpan& piece = watched.pieces->at(address, stores);
  if (!piece.holds(address)) return false;
  watched.hit(piece, stores);
  return true;
}
inline bool may_be_pending(std::uintptr_t address, std::size_t bytes) {
  return watched.bytes > 0 && address < watched.begin + watched.bytes && address + bytes > watched.begin;
}

}  // namespace rehearse::smpi
