// SPDX-License-Identifier: MIT
//
// Communicators that stay: duplicates of all ranks, and splits into rows, columns and halves, each used once. The
// arguments are how many duplicates, and how many times each of the splits.
#include <mpi.h>
#include <stdlib.h>

static void use(MPI_Comm comm) {
  int one = 1, sum = 0, size;
  MPI_Comm_size(comm, &size);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
  if (sum != size) MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv) {
  int size, rank, side = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int duplicates = argc > 1 ? atoi(argv[1]) : 20, splits = argc > 2 ? atoi(argv[2]) : 1;
  MPI_Comm *made = malloc((duplicates + 3 * splits + 1) * sizeof *made);
  int count = 0;
  while (side * side < size) ++side;
  for (int i = 0; i < duplicates; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &made[count++]);
  for (int i = 0; i < splits; ++i) {
    MPI_Comm_split(MPI_COMM_WORLD, rank / side, rank, &made[count++]);
    MPI_Comm_split(MPI_COMM_WORLD, rank % side, rank, &made[count++]);
    MPI_Comm_split(MPI_COMM_WORLD, 2 * rank < size, -rank, &made[count++]);
  }
  for (int i = 0; i < count; ++i) use(made[i]);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i) MPI_Comm_free(&made[i]);
  free(made);
  MPI_Finalize();
  return 0;
}
