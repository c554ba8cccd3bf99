// SPDX-License-Identifier: MIT
//
// The program believes that the message of rank 1 comes first.
// check: assertion.failed
// ranks: 3
#include <assert.h>
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = rank;
  if (rank > 0) MPI_Send(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (rank == 0)
    for (int i = 1; i < 3; ++i) {
      MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      assert(number == i);  // <- here
    }
  MPI_Finalize();
  return 0;
}
