// SPDX-License-Identifier: MIT
//
// An absolute address that lies behind the end of its heap block.
// check: argument.buffer
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int* numbers = calloc(8, sizeof(int));
  MPI_Aint address;
  MPI_Get_address(numbers + 6, &address);
  int length = 4;
  MPI_Datatype half;
  MPI_Type_create_hindexed(1, &length, &address, MPI_INT, &half);
  MPI_Type_commit(&half);
  if (rank == 0) {
    MPI_Send(MPI_BOTTOM, 1, half, 1, 0, MPI_COMM_WORLD);  // <- here
  }
  if (rank == 1) MPI_Recv(numbers, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&half);
  free(numbers);
  MPI_Finalize();
  return 0;
}
