// SPDX-License-Identifier: MIT
//
// A new datatype is committed, then used.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int numbers[2] = {rank, rank};
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  if (rank == 0) {
    MPI_Send(numbers, 1, pair, 1, 0, MPI_COMM_WORLD);
  }
  if (rank == 1) MPI_Recv(numbers, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&pair);
  MPI_Finalize();
  return 0;
}
