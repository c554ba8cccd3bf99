// SPDX-License-Identifier: MIT
//
// The send buffer of an MPI_Allgather is part of its receive buffer.
// check: buffer.overlap
// ranks: 2
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  int all[4] = {1, 2, 3, 4};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allgather(all + 1, 2, MPI_INT, all, 2, MPI_INT, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
