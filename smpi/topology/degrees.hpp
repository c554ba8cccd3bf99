// SPDX-License-Identifier: MIT
//
// The lengths of lists that a call has for the members or the neighbours of a communicator, before its arguments are
// checked.
#pragma once

#include "mpi.h"

namespace rehearse::smpi {

// 0 if there is no such communicator, or no such topology.
int peers_of(MPI_Comm comm);
int indegree_of(MPI_Comm comm);
int outdegree_of(MPI_Comm comm);

}  // namespace rehearse::smpi
