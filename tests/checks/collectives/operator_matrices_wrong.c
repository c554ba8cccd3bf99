// SPDX-License-Identifier: MIT
//
// The operator multiplies matrices, and is declared commutative.
// check: operator.commutative
// says: an operator was declared commutative and is not
#include <mpi.h>

static void combine(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  (void)count;
  double *a = in, *b = inout;
  double c[4];
  for (int i = 0; i < 4; ++i) c[i] = a[i / 2 * 2] * b[i % 2] + a[i / 2 * 2 + 1] * b[i % 2 + 2];
  for (int i = 0; i < 4; ++i) b[i] = c[i];
}

int main(int argc, char** argv) {
  int rank;
  MPI_Op op;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double mine[4] = {1.5, rank + 0.25, rank + 0.5, 2}, result[4];
  MPI_Datatype matrix;
  MPI_Type_contiguous(4, MPI_DOUBLE, &matrix);
  MPI_Type_commit(&matrix);
  MPI_Op_create(combine, 1, &op);
  MPI_Reduce(mine, result, 1, matrix, op, 0, MPI_COMM_WORLD);  // <- here
  MPI_Type_free(&matrix);
  MPI_Op_free(&op);
  MPI_Finalize();
  return 0;
}
