// SPDX-License-Identifier: MIT
//
// A column of a heap matrix begins in the row below: its last element lies behind the matrix.
// check: argument.buffer
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double* matrix = calloc(16, sizeof(double));
  MPI_Datatype column;
  MPI_Type_vector(4, 1, 4, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  if (rank == 0) {
    MPI_Send(matrix + 7, 1, column, 1, 0, MPI_COMM_WORLD);  // <- here
  }
  if (rank == 1) MPI_Recv(matrix, 1, column, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&column);
  free(matrix);
  MPI_Finalize();
  return 0;
}
