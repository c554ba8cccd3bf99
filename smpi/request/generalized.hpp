// SPDX-License-Identifier: MIT
//
// The functions and data of a generalized request.
#pragma once

#include "mpi.h"

namespace rehearse::smpi {

// Functions of the program, and their argument.
struct Generalized {
  MPI_Grequest_query_function* query = nullptr;
  MPI_Grequest_free_function* free = nullptr;
  MPI_Grequest_cancel_function* cancel = nullptr;
  void* extra_state = nullptr;
};

}  // namespace rehearse::smpi
