// SPDX-License-Identifier: MIT
//
// A block of the heap that a pointer to double points to is sent as integers.
// check: none
// warns: buffer.type
// says: buf is passed as MPI_INT, but the memory that numbers points to has double there
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double* numbers = calloc(4, sizeof(double));
  if (rank == 0) MPI_Send(numbers, 8, MPI_INT, 1, 0, MPI_COMM_WORLD);  // <- here
  if (rank == 1) MPI_Recv(numbers, 8, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // <- here
  free(numbers);
  MPI_Finalize();
  return 0;
}
