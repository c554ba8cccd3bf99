// SPDX-License-Identifier: MIT
//
// How calls on several requests end: shared by those that wait and those that test.
#pragma once

#include <optional>

#include "mpi.h"
#include "smpi/request/request_set.hpp"

namespace rehearse::smpi {

// All requests of the set are complete or inactive: concludes each. What MPI_Waitall returns.
int conclude_all(RequestSet& set, int count, MPI_Status* statuses);

// The position of one complete request of a set with active ones; empty, unless `blocking`, if
// there is none yet.
std::optional<int> observe_one(RequestSet& set, bool blocking);

// Concludes the request at this position, writes the index.
int conclude_one(RequestSet& set, int position, int* index, MPI_Status* status);

// Concludes every complete request. What MPI_Waitsome returns.
int conclude_some(RequestSet& set, int* count, int* indices, MPI_Status* statuses);

}  // namespace rehearse::smpi
