// SPDX-License-Identifier: MIT
//
// The buffers of collectives: blocks of elements, at equal or at given distances, one per rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mpi.h"
#include "smpi/arguments.hpp"
#include "smpi/collective/collective.hpp"
#include "smpi/datatype/datatype.hpp"

namespace rehearse::smpi {

// The address so many bytes behind another. Addresses may be null (MPI_BOTTOM), so this is no
// pointer arithmetic.
inline void* address_behind(const void* address, std::int64_t bytes) {
  return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(address) +
                                 static_cast<std::uintptr_t>(bytes));
}

// `count` elements of `type` at `address`.
struct Buffer {
  void* address = nullptr;
  MPI_Count count = 0;
  DatatypeRef type;

  std::uint64_t bytes() const { return static_cast<std::uint64_t>(type->size() * count); }
  std::uint64_t signature() const { return signature_of(*type, count); }

  // `block_count` elements, `elements` after the first.
  Buffer block(MPI_Count elements, MPI_Count block_count) const {
    return {address_behind(address, elements * type->extent()), block_count, type};
  }
};

// The arguments of one side of a collective: a buffer per call.
struct BufferArguments {
  const void* address;
  MPI_Count count;
  MPI_Datatype datatype;
};

// Checks count, type and address; a buffer of `blocks` blocks of that count (then count is that of
// one block).
Buffer checked_buffer(Arguments& check, const BufferArguments& arguments, std::string_view name,
                      int blocks = 1);

// The buffers of a collective must not be the same, unless they are empty.
void check_distinct(Arguments& check, const Buffer& send, const Buffer& receive);

// One block per rank, each with its own place, count and type.
using Blocks = std::vector<Buffer>;

// Blocks of varying counts at displacements in elements.
struct BlocksArguments {
  const void* address;
  const int* counts;
  const int* displacements;
  MPI_Datatype datatype;
};
Blocks checked_blocks(Arguments& check, const BlocksArguments& arguments, std::string_view name);

// Blocks of equal counts, one behind the other.
Blocks equal_blocks(const Buffer& one, int blocks);

// The packed data of all blocks, and how much of it each one is.
struct PackedBlocks {
  std::vector<std::byte> data;
  std::vector<std::uint64_t> segments;
};
PackedBlocks pack_blocks(const Blocks& blocks);

// One number for the types of all blocks.
std::uint64_t signature_of_blocks(const Blocks& blocks);

// Moves what `rank` gave into its place.
Trouble receive_block(const Buffer& buffer, std::span<const std::byte> data, int rank);

// Moves what each rank gave into its block, but for rank `skip`. The first trouble is returned, the
// others are forgotten.
Trouble receive_blocks(const Blocks& blocks, Contributions contributions, int skip = MPI_UNDEFINED);

}  // namespace rehearse::smpi
