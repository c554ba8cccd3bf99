// SPDX-License-Identifier: MIT
//
// The function of an operator sends and receives a message.
// check: operator.communicates
// says: it calls MPI_Sendrecv while MPI_Allreduce combines elements with it
#include <mpi.h>

static void combine(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  int other;
  for (int i = 0; i < *count; ++i) ((int*)inout)[i] += ((int*)in)[i];
  MPI_Sendrecv(inout, 1, MPI_INT, 0, 0, &other, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);  // <- here
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
