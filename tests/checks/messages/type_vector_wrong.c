// SPDX-License-Identifier: MIT
//
// A column of numbers is received as floating-point numbers.
// check: message.type
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  float column[4] = {0};
  int matrix[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  MPI_Datatype stride;
  MPI_Type_vector(4, 1, 4, MPI_INT, &stride);
  MPI_Type_commit(&stride);
  if (rank == 0) MPI_Send(matrix, 1, stride, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(column, 4, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // <- here
  MPI_Type_free(&stride);
  MPI_Finalize();
  return 0;
}
