// SPDX-License-Identifier: MIT
//
// Arrays of Fortran as those of C. The results are valid until the next call of the same function.
#ifndef REHEARSE_TRACE_PMPI_FORTRAN_H
#define REHEARSE_TRACE_PMPI_FORTRAN_H

#include "trace/pmpi/library/recorder.h"

// Open MPI's: the address stands for MPI_IN_PLACE.
extern int mpi_fortran_in_place_ __attribute__((weak));

MPI_Request* rt_requests_from_fortran(const void* handles, int count);
// One for each member of the communicator. `slot`: 0 or 1.
MPI_Datatype* rt_types_from_fortran(const void* handles, MPI_Comm comm, int slot);
// From 1 on in Fortran.
int* rt_indices_from_fortran(const void* indices, int count);
MPI_Status* rt_status_room(int count);
void* rt_fortran_status_room(int count);
void rt_statuses_from_fortran(const void* from, MPI_Status* to, int count);

#endif
