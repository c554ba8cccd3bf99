// SPDX-License-Identifier: MIT
//
// MPI_Reduce_local refuses one buffer in both roles; what operators say about themselves.
// ranks: 1
#include <assert.h>
#include <mpi.h>

static void last(void* in, void* inout, int* n, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *n; ++i) ((int*)inout)[i] = 10 * ((int*)in)[i] + ((int*)inout)[i];
}

int main(int argc, char** argv) {
  int in[2] = {1, 2}, inout[2] = {3, 4}, commutes;
  MPI_Op op;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Op_create(last, 0, &op);
  MPI_Op_commutative(op, &commutes);
  assert(!commutes);
  MPI_Op_commutative(MPI_MAX, &commutes);
  assert(commutes);
  MPI_Reduce_local(in, inout, 2, MPI_INT, op);
  assert(inout[0] == 13 && inout[1] == 24);
  assert(MPI_Reduce_local(in, in, 2, MPI_INT, op) == MPI_ERR_BUFFER);
  assert(MPI_Reduce_local(MPI_IN_PLACE, in, 2, MPI_INT, op) == MPI_ERR_BUFFER);
  assert(MPI_Reduce_local(in, in, 0, MPI_INT, op) == MPI_SUCCESS);
  assert(MPI_Op_free(&op) == MPI_SUCCESS && op == MPI_OP_NULL);
  op = MPI_SUM;
  assert(MPI_Op_free(&op) != MPI_SUCCESS);
  MPI_Finalize();
  return 0;
}
