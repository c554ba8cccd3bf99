// SPDX-License-Identifier: MIT
//
// Rank 0 receives from all others and remembers the order: no two executions end in one state, so neither flow
// equations, nor footprints, nor merged states save anything. In the end it reads the whole order. The argument selects
// what it does with the order before:
//   list    keeps it
//   mix     mixes it into one number
//   reply   answers with its place in the order, and the sender remembers that, too
//   work    keeps it, and computes for some microseconds with each message
#include <mpi.h>
#include <string.h>

int main(int argc, char** argv) {
  int rank, size, data = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char* what = argc > 1 ? argv[1] : "list";
  static int order[64];
  static double work[64];
  unsigned mixed = 1;
  for (int i = 0; rank == 0 && i < size - 1; ++i) {
    MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    mixed = mixed * 31 + (unsigned)data;
    if (strcmp(what, "mix") != 0) order[i] = data;
    for (int k = 0; strcmp(what, "work") == 0 && k < 2000; ++k) work[k % 64] = work[(k + 1) % 64] * 1.0001 + data;
    if (strcmp(what, "reply") == 0) MPI_Send(&i, 1, MPI_INT, data, 1, MPI_COMM_WORLD);
  }
  if (rank > 0) {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (strcmp(what, "reply") == 0) MPI_Recv(&data, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  for (int i = 0; rank == 0 && i < size - 1; ++i) mixed = mixed * 31 + (unsigned)order[i];
  MPI_Finalize();
  return mixed == 0;
}
