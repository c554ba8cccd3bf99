// SPDX-License-Identifier: MIT
//
// All members agree on what is broadcast.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, data[5] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Bcast(data, 5, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
