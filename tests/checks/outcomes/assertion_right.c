// SPDX-License-Identifier: MIT
//
// Both messages arrive, in any order.
// check: none
// ranks: 3
// compile: -DNDEBUG
#include <mpi.h>
#include <rehearse.h>

int main(int argc, char** argv) {
  int rank, first = 0, second = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    rehearse_begin("collecting");
    MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    rehearse_end();
    rehearse_assert(first + second == 3);
  }
  MPI_Finalize();
  return 0;
}
