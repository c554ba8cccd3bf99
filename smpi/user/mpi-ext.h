// SPDX-License-Identifier: MIT
//
// Extensions of MPI, under the name that other libraries give this header: mpi.h declares them all. Fault tolerance
// (ULFM): docs/fault-tolerance.md.
#ifndef REHEARSE_MPI_EXT_H
#define REHEARSE_MPI_EXT_H

#include "mpi.h"

#endif  // REHEARSE_MPI_EXT_H
