// SPDX-License-Identifier: MIT
//
// The buffers of collectives: blocks of elements, at equal or at given distances, one per peer.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "mpi.h"
#include "smpi/arguments.hpp"
#include "smpi/collective/blocks.hpp"
#include "smpi/collective/collective.hpp"
#include "smpi/datatype/datatype.hpp"

namespace rehearse::smpi {

// The arguments of one side of a collective that has one buffer.
struct BufferArguments {
  const void* address;
  MPI_Count count;
  MPI_Datatype datatype;
};

// Checks count, type and address. The buffer has `blocks` blocks of `count` elements each.
Buffer checked_buffer(Arguments& check, const BufferArguments& arguments, std::string_view name, int blocks = 1);

// The buffers of a collective must not be the same, unless they are empty.
void check_distinct(Arguments& check, const Buffer& send, const Buffer& receive);

// Blocks of varying counts at displacements in elements.
struct BlocksArguments {
  const void* address;
  Integers counts;
  Integers displacements;
  MPI_Datatype datatype;
};
Blocks checked_blocks(Arguments& check, const BlocksArguments& arguments, std::string_view name, int blocks);

// Blocks with a type each, at displacements in bytes.
struct TypedBlocksArguments {
  const void* address;
  Integers counts;
  Integers displacements;
  const MPI_Datatype* datatypes;
};
Blocks checked_typed_blocks(Arguments& check, const TypedBlocksArguments& arguments, std::string_view name, int blocks);

// Copies the data of `rank` into the buffer.
Trouble receive_block(const Buffer& buffer, std::span<const std::byte> data, int rank);

// Copies the data of each rank except `skip` into its block. Returns the first error only.
Trouble receive_blocks(const Communicator& communicator, const Blocks& blocks, Contributions contributions,
                       int skip = MPI_UNDEFINED);

}  // namespace rehearse::smpi
