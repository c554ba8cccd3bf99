// SPDX-License-Identifier: MIT
//
// The third collective of the ranks differs.
// check: collective.operation
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int mine = 1, sum = 0;
  for (int i = 0; i < 2; ++i) MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    MPI_Barrier(MPI_COMM_WORLD);  // <- here
  else
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
