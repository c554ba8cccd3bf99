// SPDX-License-Identifier: MIT
//
// One of three inputs, each of which is explored, makes both ranks receive first.
// check: deadlock.cycle
#include <mpi.h>
#include <rehearse.h>

int main(int argc, char** argv) {
  int rank, input = 0, number = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) input = rehearse_choose(3);
  MPI_Bcast(&input, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0 && input < 2) MPI_Send(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  MPI_Recv(&number, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // <- here
  if (rank == 1 || input == 2) MPI_Send(&number, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
