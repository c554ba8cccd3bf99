// SPDX-License-Identifier: MIT
//
// The operator multiplies complex numbers, which is commutative but for rounding, and leaves two numbers alone.
// check: none
#include <mpi.h>

static void combine(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  double *a = in, *b = inout;
  for (int i = 0; i < *count; ++i, a += 4, b += 4) {
    const double real = a[0] * b[0] - a[1] * b[1];
    b[1] = a[0] * b[1] + a[1] * b[0];
    b[0] = real;
  }
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
  MPI_Reduce(mine, result, 1, matrix, op, 0, MPI_COMM_WORLD);
  MPI_Type_free(&matrix);
  MPI_Op_free(&op);
  MPI_Finalize();
  return 0;
}
