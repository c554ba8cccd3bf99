// SPDX-License-Identifier: MIT
//
// Half round trips between ranks 0 and 1 of a real MPI, and the host of each rank.
//
// Usage:  mpi_pingpong BYTES...
// Output: `rank R on HOST`; of rank 0: `half round trip BYTES: LEAST us`.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { rounds = 20 };

static void exchange(int rank, char* data, int bytes) {
  if (rank == 0) {
    MPI_Send(data, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(data, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Recv(data, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(data, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  int rank, length;
  char host[MPI_MAX_PROCESSOR_NAME];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Get_processor_name(host, &length);
  printf("rank %d on %s\n", rank, host);
  for (int i = 1; i < argc; ++i) {
    const int bytes = atoi(argv[i]);
    char* data = calloc(1, (size_t)bytes + 1);
    double least = 1e9;
    for (int round = 0; round < (bytes > 100000 ? 3 : rounds); ++round) {
      const double start = MPI_Wtime();
      exchange(rank, data, bytes);
      const double half = (MPI_Wtime() - start) / 2;
      least = half < least ? half : least;
    }
    if (rank == 0) printf("half round trip %d: %.1f us\n", bytes, least * 1e6);
    fflush(stdout);
    free(data);
  }
  MPI_Finalize();
  return 0;
}
