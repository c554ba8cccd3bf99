// SPDX-License-Identifier: MIT
//
// A fan-in (fan_in.c) with something added that should not be paid for in each execution:
//
//   costs DEPTH UNTOUCHED TOUCHED LOOPS
//
// DEPTH messages of each rank before it, UNTOUCHED MB of memory that nobody writes, TOUCHED MB that are written once
// before everything else, and LOOPS turns of a computation before the message of each rank. The number of ranks is
// even.
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint64_t compute(long loops) {
  volatile uint64_t state = 88172645463325252ULL;
  for (long i = 0; i < loops; ++i) state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return state;
}

int main(int argc, char **argv) {
  int rank, size, data = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc != 5) MPI_Abort(MPI_COMM_WORLD, 2);
  const int depth = atoi(argv[1]);
  char *untouched = malloc(((size_t)atoi(argv[2]) << 20) + 1), *touched = malloc(((size_t)atoi(argv[3]) << 20) + 1);
  memset(touched, rank + 1, ((size_t)atoi(argv[3]) << 20) + 1);

  for (int i = 0; i < depth; ++i) {
    if ((rank + i) % 2 == 0) MPI_Send(&i, 1, MPI_INT, rank ^ 1, 1, MPI_COMM_WORLD);
    else MPI_Recv(&data, 1, MPI_INT, rank ^ 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  data = (int)compute(rank > 0 ? atol(argv[4]) : 0);
  for (int i = 1; i < size && rank == 0; ++i)
    MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank > 0) MPI_Send(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (touched[0] != rank + 1) MPI_Abort(MPI_COMM_WORLD, 1);
  free(untouched);
  free(touched);
  MPI_Finalize();
  return 0;
}
