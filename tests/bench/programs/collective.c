// SPDX-License-Identifier: MIT
//
// Blocking collectives, one after another; the arguments are how many, which, and the bytes of a block.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int size;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int rounds = argc > 1 ? atoi(argv[1]) : 1, bytes = argc > 3 ? atoi(argv[3]) : 8;
  const char *which = argc > 2 ? argv[2] : "barrier";
  const int gathers = !strcmp(which, "allgather");
  char *out = calloc(1, bytes), *in = calloc(gathers ? size : 1, bytes);
  for (int round = 0; round < rounds; ++round) {
    if (!strcmp(which, "barrier")) MPI_Barrier(MPI_COMM_WORLD);
    if (!strcmp(which, "bcast")) MPI_Bcast(out, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (!strcmp(which, "allreduce")) MPI_Allreduce(out, in, bytes, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
    if (gathers) MPI_Allgather(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, MPI_COMM_WORLD);
  }
  free(out);
  free(in);
  MPI_Finalize();
  return 0;
}
