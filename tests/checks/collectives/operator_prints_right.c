// SPDX-License-Identifier: MIT
//
// A commutative operator counts its calls and prints how many there are: it is called no oftener than needed.
// check: none
#include <assert.h>
#include <mpi.h>
#include <stdio.h>

static int calls;

static void combine(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *count; ++i) ((int*)inout)[i] += ((int*)in)[i];
  printf("call %d\n", ++calls);
}

int main(int argc, char** argv) {
  int rank, result;
  MPI_Op op;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int mine = rank + 1;
  MPI_Op_create(combine, 1, &op);
  MPI_Allreduce(&mine, &result, 1, MPI_INT, op, MPI_COMM_WORLD);
  MPI_Op_free(&op);
  assert(calls == 1 && result == 3);
  MPI_Finalize();
  return 0;
}
