// SPDX-License-Identifier: MIT
//
// A rank polls for a message that nobody sends.
// check: progress.polling
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int found = 0;
  if (rank == 0)
    while (!found) MPI_Iprobe(1, 0, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);  // <- here
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
