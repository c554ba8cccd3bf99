// SPDX-License-Identifier: MIT
//
// A ring shifts to the right, and all expect it from the left.
// check: none
// ranks: 3
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int sent = rank, received, right = (rank + 1) % 3, left = (rank + 2) % 3;
  MPI_Sendrecv(&sent, 1, MPI_INT, right, 0, &received, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
