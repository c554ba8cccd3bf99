// SPDX-License-Identifier: MIT
//
// A user's operator is freed after its use.
// check: none
#include <mpi.h>

static void add(void* in, void* inout, int* n, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *n; ++i) ((int*)inout)[i] += ((int*)in)[i];
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int mine = rank, all;
  MPI_Op plus;
  MPI_Op_create(add, 1, &plus);
  MPI_Allreduce(&mine, &all, 1, MPI_INT, plus, MPI_COMM_WORLD);
  MPI_Op_free(&plus);
  MPI_Finalize();
  return 0;
}
