// SPDX-License-Identifier: MIT
//
// All ranks exchange blocks with all, one exchange after another; the arguments are how many, and the bytes of a block.
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int size;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int rounds = argc > 1 ? atoi(argv[1]) : 1, bytes = argc > 2 ? atoi(argv[2]) : 8;
  char *out = calloc(size, bytes), *in = calloc(size, bytes);
  for (int round = 0; round < rounds; ++round)
    MPI_Alltoall(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, MPI_COMM_WORLD);
  free(out);
  free(in);
  MPI_Finalize();
  return 0;
}
