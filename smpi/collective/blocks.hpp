// SPDX-License-Identifier: MIT
//
// Memory of the program that messages and collectives move: elements of a datatype, and lists of
// such pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mpi.h"
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

  std::uint64_t bytes() const {
    return count == 0 ? 0 : static_cast<std::uint64_t>(type->size() * count);
  }
  std::uint64_t signature() const { return signature_of(*type, count); }

  // `block_count` elements, `elements` after the first.
  Buffer block(MPI_Count elements, MPI_Count block_count) const {
    return {address_behind(address, elements * type->extent()), block_count, type};
  }
};

// One block per peer, each with its own place, count and type.
using Blocks = std::vector<Buffer>;

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

}  // namespace rehearse::smpi
