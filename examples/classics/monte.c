// SPDX-License-Identifier: MIT
//
// Monte: pi by throwing darts. Every worker throws darts and sends its number of hits to rank 0. Rank 0 receives in the
// order of arrival and sends the total to each worker.
//
// As in the program of this name in comparisons of checkers, there is a deadlock if sends wait, in a rare order of
// messages: rank 0 answers the workers in turn, instead of the worker that it just received from. `monte right`
// receives all messages first.
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { darts = 1000 };

// The hits of the darts of one rank, the same in every run.
static int throw_darts(int rank) {
  unsigned long long state = 88172645463325252ULL + 7919ULL * rank;
  int hits = 0;
  for (int i = 0; i < darts; ++i) {
    double at[2];
    for (int k = 0; k < 2; ++k) {
      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;
      at[k] = (double)(state >> 11) / (double)(1ULL << 53);
    }
    hits += at[0] * at[0] + at[1] * at[1] <= 1;
  }
  return hits;
}

static int collect(int size, int answer_in_turn) {
  int total = 0;
  for (int worker = 1; worker < size; ++worker) {
    int hits;
    MPI_Recv(&hits, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    total += hits;
    if (answer_in_turn) MPI_Send(&total, 1, MPI_INT, worker, 1, MPI_COMM_WORLD);
  }
  for (int worker = 1; worker < size && !answer_in_turn; ++worker) {
    MPI_Send(&total, 1, MPI_INT, worker, 1, MPI_COMM_WORLD);
  }
  return total;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int right = argc > 1 && strcmp(argv[1], "right") == 0;

  if (rank == 0) {
    const int total = collect(size, !right);
    int expected = 0;
    for (int worker = 1; worker < size; ++worker) expected += throw_darts(worker);
    assert(total == expected);
    printf("pi is about %.3f\n", 4.0 * total / darts / (size - 1));
  } else {
    const int hits = throw_darts(rank);
    int so_far;
    MPI_Send(&hits, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Recv(&so_far, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(so_far > 0 && so_far <= darts * (size - 1));
  }
  MPI_Finalize();
  return 0;
}
