// SPDX-License-Identifier: MIT
//
// With MPI_IN_PLACE, the sent data of an MPI_Allgather is in its receive buffer.
// check: none
// ranks: 2
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  int all[4] = {1, 2, 3, 4};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, all, 2, MPI_INT, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
