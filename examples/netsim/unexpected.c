// SPDX-License-Identifier: MIT
//
// Counts unexpected messages: those that arrive before their receive is posted. Rank 1 sends a message every 10 ms.
// Rank 0 posts the receive of each message GAP microseconds after its departure. If a message needs less time than
// that, it is unexpected. Arguments: GAP (2000) and the number of messages (100).
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { period_us = 10000 };

static void wait_until(double date) {
  const double rest = date - MPI_Wtime();
  if (rest > 0) usleep((useconds_t)(rest * 1e6 + 0.5));
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, unexpected = 0;
  char data = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int gap_us = argc > 1 ? atoi(argv[1]) : 2000;
  const int messages = argc > 2 ? atoi(argv[2]) : 100;
  // A first message in each direction, so that the connections are open.
  if (rank < 2) {
    MPI_Sendrecv_replace(&data, 1, MPI_CHAR, 1 - rank, 1, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  const double begin = 0.1;  // of simulated time
  for (int i = 0; i < messages; ++i) {
    const double departure = begin + i * period_us * 1e-6;
    if (rank == 1) {
      wait_until(departure);
      MPI_Send(&data, 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    } else if (rank == 0) {
      wait_until(departure + gap_us * 1e-6);
      int is_here = 0;
      MPI_Iprobe(1, 0, MPI_COMM_WORLD, &is_here, MPI_STATUS_IGNORE);
      unexpected += is_here;
      MPI_Recv(&data, 1, MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  if (rank == 0) printf("%d of %d messages were unexpected\n", unexpected, messages);
  MPI_Finalize();
  return 0;
}
