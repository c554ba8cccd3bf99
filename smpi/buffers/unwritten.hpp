// SPDX-License-Identifier: MIT
//
// Finds sent memory that was never written since its allocation, in programs compiled with --check-memory.
//
// Method: blocks of malloc are filled with a mark, a word that programs do not write. If a message contains the mark,
//         the program has not written there. Copies of such memory, by assignment or memcpy, are found, too. After such
//         data is received, the program's reads of it are checked until other data replaces the marks.
// Grades: a send of such memory is a note, once in a rank, because many correct programs send more than they use. It is
//         a warning if the receiver reads the memory (a memcpy does not count) or if a reduction computes with it.
// Exact:  data may equal the mark by chance: one in 2^64 for eight bytes at an address divisible by eight, one in 2^32
//         for a message of four bytes. Shorter unwritten pieces are padding, and are not reported.
// Limits: the first 256 KiB of each block are marked, and the first MiB of a message is searched. The stack is not
//         marked. Received data is followed if it has no gaps and begins at a multiple of four bytes from the marks; at
//         most 64 pieces in a rank.
#pragma once

#include <cstddef>
#include <optional>

#include "simcore/ids.hpp"
#include "smpi/buffers/footprint.hpp"
#include "smpi/collective/blocks.hpp"
#include "smpi/handle_registry.hpp"

namespace rehearse::smpi {

void mark_unwritten(void* block, std::size_t bytes);

// Reports unwritten memory in sent data (buffer.uninitialized). `combined`: a reduction computes with it.
void check_written(const Blocks& sent, bool combined);

// The origin of data, as far as it is known.
struct DataOrigin {
  CreationSite site;
  std::optional<ActorId> sender;
};

// Data has arrived here, in a program that reports its accesses.
void note_arrived(const std::byte* data, std::size_t bytes, const DataOrigin& from);

// Called when pending buffers are no longer watched. Keeps watching received unwritten data.
void watch_arrived();
// The block was freed: forgets unwritten data in it.
void forget_arrived(const Span& bytes);
// Whether these bytes may contain received unwritten data.
bool may_be_arrived(const Span& bytes);
// Called for a read of the program: reports a read of data that was never written. Returns whether there is such data.
bool check_read(const Span& bytes, const void* place);

}  // namespace rehearse::smpi
