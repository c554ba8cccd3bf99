// SPDX-License-Identifier: MIT
//
// Times itself as benchmarks of nonblocking collectives do: how much of a broadcast is hidden behind computation that
// is made as long as the broadcast alone, by looking at the clock around each piece of it.
//
// Arguments: bytes of the broadcast; "alone": only the first part, without computation.
// Output:    seconds of the broadcast alone, of the computation, of both together, and the part that was hidden, in
//            percent; maxima over the ranks.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { side = 25, rounds = 100 };

static float matrix[side][side], vector[side];
static volatile float sink;

/* About half a microsecond. */
static void piece(void) {
  float sum = 0;
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) sum += matrix[i][j] * vector[j];
  sink = sum;
}

/* How long it took by the clock that it looked at. */
static double compute(double seconds) {
  double passed = 0;
  while (passed < seconds) {
    const double begin = MPI_Wtime();
    piece();
    passed += MPI_Wtime() - begin;
  }
  return passed;
}

static double largest(double mine) {
  double all;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int bytes = argc > 1 ? atoi(argv[1]) : 1;
  char* const buffer = calloc(1, (size_t)bytes);
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) matrix[i][j] = vector[j] = 1.0f / (float)(1 + i + j);

  double alone = 0;
  for (int round = 0; round < rounds; ++round) {
    MPI_Request request;
    const double begin = MPI_Wtime();
    MPI_Ibcast(buffer, bytes, MPI_CHAR, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    alone += (MPI_Wtime() - begin) / rounds;
    MPI_Barrier(MPI_COMM_WORLD);
  }
  alone = largest(alone);
  if (argc > 2 && strcmp(argv[2], "alone") == 0) {
    if (rank == 0) printf("%.9f\n", alone);
    free(buffer);
    MPI_Finalize();
    return 0;
  }

  double computed = 0, together = 0;
  for (int round = 0; round < rounds; ++round) {
    MPI_Request request;
    const double begin = MPI_Wtime();
    MPI_Ibcast(buffer, bytes, MPI_CHAR, 0, MPI_COMM_WORLD, &request);
    computed += compute(alone) / rounds;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    together += (MPI_Wtime() - begin) / rounds;
    MPI_Barrier(MPI_COMM_WORLD);
  }
  computed = largest(computed);
  together = largest(together);
  if (rank == 0)
    printf("%.9f %.9f %.9f %.1f\n", alone, computed, together, 100 * (1 - (together - computed) / alone));
  free(buffer);
  MPI_Finalize();
  return 0;
}
