// SPDX-License-Identifier: MIT
//
// A ring shifts to the right, and one rank expects it from there.
// check: deadlock.orphan deadlock.cycle
// ranks: 3
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int sent = rank, received, right = (rank + 1) % 3, left = (rank + 2) % 3, from = rank == 0 ? right : left;
  MPI_Sendrecv(&sent, 1, MPI_INT, right, 0, &received, 1, MPI_INT, from, 0, MPI_COMM_WORLD,  // <- here
               MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
