// SPDX-License-Identifier: MIT
//
// Rank 0 sends rank 1 as many messages of 4 bytes as the second argument says, all started before any is waited for;
// the first argument is how often. The third, where given, is the call that rank 1 waits with: any waits for them one
// after another.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int rank, index;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int rounds = argc > 1 ? atoi(argv[1]) : 1, count = argc > 2 ? atoi(argv[2]) : 8000;
  const int one_by_one = argc > 3 && strcmp(argv[3], "any") == 0;
  MPI_Request *requests = malloc(sizeof *requests * count);
  int *data = calloc(count, sizeof *data);
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < count; ++i)
      if (rank == 0)
        MPI_Isend(&data[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]);
      else
        MPI_Irecv(&data[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &requests[i]);
    if (one_by_one)
      for (int i = 0; i < count; ++i) MPI_Waitany(count, requests, &index, MPI_STATUS_IGNORE);
    else
      MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  }
  free(requests);
  free(data);
  MPI_Finalize();
  return 0;
}
