// SPDX-License-Identifier: MIT
//
// Reads and writes by the program itself, of which a program that was compiled with --check-memory tells.
//
// Threads: only from the rank's own fiber.
#pragma once

#include "smpi/buffers/footprint.hpp"
#include "smpi/buffers/watched.hpp"

namespace rehearse::smpi {

// The program uses this memory at `place`, a return address; reports what it must not: reading what a pending operation
// writes (buffer.read), writing what one reads or writes (buffer.written).
void report_access(const Span& bytes, bool stores, const void* place);

constexpr std::int64_t widest_access = 16;  // of those that are told by their first byte alone

// Whether that could be any. Of up to 16 bytes, the first is enough.
inline bool may_be_pending(std::uintptr_t address) { return address - watched.begin < watched.bytes; }
// The same, where it could be.
inline bool is_clear(std::uintptr_t address, bool stores) {
  if (watched.clear == nullptr) return false;
  const ClearPiece piece = watched.clear->at(address, stores);
  return address - piece.begin < piece.bytes;
}
inline bool may_be_pending(std::uintptr_t address, std::size_t bytes) {
  return watched.bytes > 0 && address < watched.begin + watched.bytes && address + bytes > watched.begin;
}

}  // namespace rehearse::smpi
