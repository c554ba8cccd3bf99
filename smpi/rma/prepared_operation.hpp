// SPDX-License-Identifier: MIT
//
// The arguments of a call that starts an operation on a window, and their checks.
//
// Errors: prepare() fails the check with the first argument that is wrong.
// Source: MPI 5.0, 12.3.
#pragma once

#include <cstdint>
#include <vector>

#include "mpi.h"
#include "smpi/arguments.hpp"
#include "smpi/collective/blocks.hpp"
#include "smpi/datatype/datatype.hpp"
#include "smpi/rma/operation_message.hpp"
#include "smpi/rma/window.hpp"

namespace rehearse::smpi {

struct LocalSide {
  const void* address = nullptr;
  MPI_Count count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const char* name = "origin_addr";
};

struct TargetSide {
  int rank = 0;
  MPI_Aint displacement = 0;
  MPI_Count count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
};

// The arguments of the MPI call.
struct OneSided {
  Deed deed;
  LocalSide origin;  // not of a get
  LocalSide result;  // of a get and of fetching operations
  TargetSide target;
  MPI_Op op = MPI_REPLACE;
  MPI_Win win;
  bool has_request = false;
  MPI_Request* request = nullptr;
  const void* compare = nullptr;  // of a compare-and-swap
};

// A local side with checked arguments.
struct CheckedSide {
  const void* address = nullptr;
  MPI_Count count = 0;
  const Datatype* type = nullptr;

  std::uint64_t bytes() const { return static_cast<std::uint64_t>(type->size() * count); }
  Blocks blocks() const { return Blocks::equal({const_cast<void*>(address), count, DatatypeRef(type)}, 1); }
};

// The arguments of an operation after all checks, and what follows from them.
struct PreparedOperation {
  Window* window = nullptr;
  CheckedSide origin, result;
  const Datatype* target_type = nullptr;
  std::vector<TargetBlock> blocks;
  OperationHeader header;
};

// Everything that can be wrong in the arguments alone. The window exists.
PreparedOperation prepare(Arguments& check, const OneSided& call);

}  // namespace rehearse::smpi
