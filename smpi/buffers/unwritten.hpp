// SPDX-License-Identifier: MIT
//
// Memory that was allocated and never written, and is sent. Of programs that were compiled with --check-memory.
//
// Method: blocks of malloc begin as words that nobody else writes; where a message has them, nobody wrote there.
//         Copies of such memory, by assignment or memcpy, are found, too. Where they arrive, reads of the program are
//         looked at, as long as the words are there.
// Grades: to send it is a note, once in a rank: many correct programs send more than they use. It is a warning where
//         the receiver reads it, which memcpy does not, and where a reduction computes with it.
// Exact:  eight bytes at an address divisible by eight, or a message of four bytes, that happen to be the words: one
//         in 2^64, and one in 2^32. Less than that is padding, and not reported.
// Limits: of each block the first 256 KiB are marked, of a message the first MiB is looked at. Nothing on the stack. Of
//         what arrives, data without gaps that begins at a multiple of four bytes from the words, 64 pieces in a rank.
#pragma once

#include <cstddef>
#include <optional>

#include "simcore/ids.hpp"
#include "smpi/buffers/footprint.hpp"
#include "smpi/collective/blocks.hpp"
#include "smpi/handle_registry.hpp"

namespace rehearse::smpi {

void mark_unwritten(void* block, std::size_t bytes);

// Reports it (buffer.uninitialized). `combined`: by a reduction.
void check_written(const Blocks& sent, bool combined);

// Where data came from, as far as that is known.
struct DataOrigin {
  CreationSite site;
  std::optional<ActorId> sender;
};

// Data has arrived here, in a program that reports its accesses.
void note_arrived(const std::byte* data, std::size_t bytes, const DataOrigin& from);

// Pending buffers are watched no more: what has arrived still is.
void watch_arrived();
// Nothing of it is here any more: the block was freed.
void forget_arrived(const Span& bytes);
// Whether these bytes may be of it.
bool may_be_arrived(const Span& bytes);
// The program reads; reports it if that was never written. Whether there is such data.
bool look_at_read(const Span& bytes, const void* place);

}  // namespace rehearse::smpi
