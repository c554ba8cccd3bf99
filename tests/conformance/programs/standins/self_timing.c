// SPDX-License-Identifier: MIT
//
// A benchmark that times itself, in the pattern of the overlap tests of nonblocking collectives: it measures a
// broadcast alone, makes a computation that takes as long by looking at the clock between short pieces of work, and
// measures both together. What the broadcast costs beyond the computation was not overlapped.
//
// Usage: self_timing [BYTES]    prints, on rank 0, the three times in microseconds and the overlap in per cent
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { rounds = 20 };

static volatile double sink;

// About half a microsecond of work.
static void piece(void) {
  double x = 1;
  for (int i = 0; i < 200; ++i) x = x * 1.0000001 + 1e-9;
  sink = x;
}

static void compute(double seconds) {
  const double end = MPI_Wtime() + seconds;
  while (MPI_Wtime() < end) piece();
}

int main(int argc, char** argv) {
  int rank;
  double alone = 0, computed = 0, both = 0;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int bytes = argc > 1 ? atoi(argv[1]) : 1;
  char* data = calloc(bytes, 1);
  for (int i = 0; i < rounds; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    MPI_Ibcast(data, bytes, MPI_CHAR, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    alone += (MPI_Wtime() - begin) / rounds;
  }
  MPI_Allreduce(MPI_IN_PLACE, &alone, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  for (int i = 0; i < rounds; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    compute(alone);
    computed += (MPI_Wtime() - begin) / rounds;
    MPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();
    MPI_Ibcast(data, bytes, MPI_CHAR, 0, MPI_COMM_WORLD, &request);
    compute(alone);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    both += (MPI_Wtime() - begin) / rounds;
  }
  MPI_Allreduce(MPI_IN_PLACE, &both, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &computed, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) {
    double overlap = 100 * (1 - (both - computed) / alone);
    if (overlap < 0) overlap = 0;
    if (overlap > 100) overlap = 100;
    printf("alone %.3f us, computed %.3f us, both %.3f us, overlap %.1f %%\n", 1e6 * alone, 1e6 * computed, 1e6 * both,
           overlap);
  }
  free(data);
  MPI_Finalize();
  return 0;
}
