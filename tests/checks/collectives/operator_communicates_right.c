// SPDX-License-Identifier: MIT
//
// The function of an operator asks for the size of the type, which needs no other rank.
// check: none
#include <mpi.h>

static void combine(void* in, void* inout, int* count, MPI_Datatype* type) {
  int size;
  MPI_Type_size(*type, &size);
  for (int i = 0; i < *count; ++i) ((int*)inout)[i] += ((int*)in)[i];
}

int main(int argc, char** argv) {
  int rank;
  MPI_Op op;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int mine = rank + 1, result;
  MPI_Op_create(combine, 1, &op);
  MPI_Allreduce(&mine, &result, 1, MPI_INT, op, MPI_COMM_WORLD);
  MPI_Op_free(&op);
  MPI_Finalize();
  return 0;
}
