// SPDX-License-Identifier: MIT
//
// The operator subtracts, but is declared commutative.
// check: operator.commutative
// says: element 0 is -1 one way and 1 with the operands exchanged (1 and 2)
#include <mpi.h>

static void combine(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *count; ++i) ((int*)inout)[i] = ((int*)in)[i] - ((int*)inout)[i];
}

int main(int argc, char** argv) {
  int rank;
  MPI_Op op;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int mine = rank + 1, result;
  MPI_Op_create(combine, 1, &op);
  MPI_Allreduce(&mine, &result, 1, MPI_INT, op, MPI_COMM_WORLD);  // <- here
  MPI_Op_free(&op);
  MPI_Finalize();
  return 0;
}
