// SPDX-License-Identifier: MIT
//
// A column of four numbers is broadcast, and four numbers expected: where they lie does not matter.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int matrix[16] = {0};
  MPI_Datatype column;
  MPI_Type_vector(4, 1, 4, MPI_INT, &column);
  MPI_Type_commit(&column);
  if (rank == 0)
    MPI_Bcast(matrix, 1, column, 0, MPI_COMM_WORLD);
  else
    MPI_Bcast(matrix, 4, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Type_free(&column);
  MPI_Finalize();
  return 0;
}
