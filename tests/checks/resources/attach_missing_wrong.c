// SPDX-License-Identifier: MIT
//
// A buffered send without a buffer.
// check: buffer.attached
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = 1;
  if (rank == 0) {
    MPI_Bsend(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);  // <- here
  }
  if (rank == 1) MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
