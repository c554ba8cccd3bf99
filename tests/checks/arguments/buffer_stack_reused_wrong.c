// SPDX-License-Identifier: MIT
//
// Of arrays that lie at the same place of the stack one after the other, one is too short.
// check: argument.buffer
// says: the variable small (int[2]) there ends after 8 bytes
#include <mpi.h>

static void pass(int rank, int n) {
  int numbers[n];
  for (int i = 0; i < n; ++i) numbers[i] = i;
  if (rank == 0) MPI_Send(numbers, n, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(numbers, n, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void descend(int rank, int depth, int* outer, int length) {
  int own[3] = {depth, depth, depth};
  MPI_Bcast(outer, length, MPI_INT, 0, MPI_COMM_WORLD);
  if (depth > 0) descend(rank, depth - 1, depth % 2 == 0 ? own : outer, depth % 2 == 0 ? 3 : length);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 1; i <= 8; ++i) pass(rank, 8 * i);
  for (int i = 0; i < 3; ++i) {
    if (i == 1) {
      int small[2] = {i, i};
      MPI_Bcast(small, 2 + rank, MPI_INT, 0, MPI_COMM_WORLD);  // <- here
    } else {
      int large[6] = {i, i, i, i, i, i};
      MPI_Bcast(large, 6, MPI_INT, 0, MPI_COMM_WORLD);
    }
  }
  int all[5] = {0};
  descend(rank, 4, all, 5);
  MPI_Finalize();
  return 0;
}
