// SPDX-License-Identifier: MIT
//
// A window of receives, all of which are waited for in each step.
// check: none
// ranks: 2
#include <mpi.h>

enum { WINDOW = 4, STEPS = 2 };

int main(int argc, char** argv) {
  int given = 1, taken[STEPS][WINDOW], rank;
  MPI_Request requests[WINDOW];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int step = 0; step < STEPS; ++step) {
    if (rank == 0) {
      for (int i = 0; i < WINDOW; ++i) MPI_Send(&given, 1, MPI_INT, 1, 10, MPI_COMM_WORLD);
    } else {
      for (int i = 0; i < WINDOW; ++i)
        MPI_Irecv(&taken[step][i], 1, MPI_INT, 0, 10, MPI_COMM_WORLD, &requests[i]);
      MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
    }
  }
  MPI_Finalize();
  return 0;
}
