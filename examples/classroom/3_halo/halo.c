// SPDX-License-Identifier: MIT
//
// The cells at the borders: the task is in README.md.
#include <mpi.h>

// row[1] to row[cells] are mine. row[0] becomes the last cell of rank - 1, row[cells + 1] the first cell of rank + 1.
void exchange(double* row, int cells, MPI_Comm comm) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
  (void)row;
  (void)cells;
  (void)left;
  (void)right;
}
