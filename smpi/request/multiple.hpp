// SPDX-License-Identifier: MIT
//
// The last part of calls on several requests, shared by the calls that wait and those that test.
#pragma once

#include <optional>

#include "mpi.h"
#include "smpi/request/request_set.hpp"

namespace rehearse::smpi {

// Concludes each request of a set in which all are complete or inactive. Returns the result of MPI_Waitall.
int conclude_all(RequestSet& set, int count, MPI_Status* statuses);

// The position of one complete request of a set with active requests. If none is complete: waits if `blocking`,
// otherwise returns nothing.
std::optional<int> observe_one(RequestSet& set, bool blocking);

// Concludes the request at this position and writes the index.
int conclude_one(RequestSet& set, int position, int* index, MPI_Status* status);

// Concludes every complete request. Returns the result of MPI_Waitsome.
int conclude_some(RequestSet& set, int* count, int* indices, MPI_Status* statuses);

}  // namespace rehearse::smpi
