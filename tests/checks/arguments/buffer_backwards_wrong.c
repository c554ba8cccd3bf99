// SPDX-License-Identifier: MIT
//
// A type that goes backwards starts at the beginning of its block.
// check: argument.buffer
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int* numbers = calloc(4, sizeof(int));
  MPI_Datatype backwards;
  MPI_Type_vector(4, 1, -1, MPI_INT, &backwards);
  MPI_Type_commit(&backwards);
  if (rank == 0) {
    MPI_Send(numbers, 1, backwards, 1, 0, MPI_COMM_WORLD);  // <- here
  }
  if (rank == 1) MPI_Recv(numbers, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&backwards);
  free(numbers);
  MPI_Finalize();
  return 0;
}
