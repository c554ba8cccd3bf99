// SPDX-License-Identifier: MIT
//
// Ranks are counted from zero, and the last sends to nobody.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int size, number = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int next = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
  int previous = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  MPI_Send(&number, 1, MPI_INT, next, 0, MPI_COMM_WORLD);
  MPI_Recv(&number, 1, MPI_INT, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
