// SPDX-License-Identifier: MIT
//
// A window of sends, as in a measurement of bandwidth, of which the last is not waited for.
// check: resource.request
// says: never completed
#include <mpi.h>

enum { WINDOW = 4, BYTES = 8 };

int main(int argc, char** argv) {
  char given[BYTES] = {0}, taken[WINDOW][BYTES];
  int rank;
  MPI_Request requests[WINDOW];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    for (int i = 0; i < WINDOW; ++i)
      MPI_Isend(given, BYTES, MPI_CHAR, 1, 10, MPI_COMM_WORLD, &requests[i]);  // <- here
    MPI_Waitall(WINDOW - 1, requests, MPI_STATUSES_IGNORE);
  } else {
    for (int i = 0; i < WINDOW; ++i)
      MPI_Irecv(taken[i], BYTES, MPI_CHAR, 0, 10, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
