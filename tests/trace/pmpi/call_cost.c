// SPDX-License-Identifier: MIT
//
// The cost of a call in microseconds, with or without the profiling library: processor time of a message from a rank to
// itself (three calls), and the time of half a ping-pong between two ranks (two calls). Not a test: measures.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

int main(int argc, char** argv) {
  enum { rounds = 50000, repetitions = 7 };
  int rank, size, in = 0, out = 0;
  double self = 1e9, pong = 1e9;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    const double start = now(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < rounds; ++i) {
      MPI_Irecv(&in, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
      MPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    const double cost = (now(CLOCK_THREAD_CPUTIME_ID) - start) / rounds / 3;
    if (cost < self) self = cost;
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = now(CLOCK_MONOTONIC);
    const int turns = size < 2 ? 0 : argc > 1 ? atoi(argv[1]) : 2000;
    for (int i = 0; i < turns && rank < 2; ++i) {
      if (rank == i % 2) MPI_Send(&out, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
      else MPI_Recv(&in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    const double half = (now(CLOCK_MONOTONIC) - begin) / turns;
    if (half < pong) pong = half;
  }
  if (rank == 0) printf("%.3f us of processor time a call, %.3f us half a ping-pong\n", self, pong);
  MPI_Finalize();
  return 0;
}
