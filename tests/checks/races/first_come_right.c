// SPDX-License-Identifier: MIT
//
// The program asks who sent the message.
// check: none
// ranks: 3
#include <assert.h>
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = rank;
  MPI_Status status;
  if (rank > 0) MPI_Send(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (rank == 0)
    for (int i = 1; i < 3; ++i) {
      MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
      assert(number == status.MPI_SOURCE);
    }
  MPI_Finalize();
  return 0;
}
