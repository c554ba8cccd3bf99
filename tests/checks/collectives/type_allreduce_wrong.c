// SPDX-License-Identifier: MIT
//
// The ranks reduce vectors of different types.
// check: collective.signature
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int mine = 1, sum;
  MPI_Allreduce(&mine, &sum, 1, rank == 0 ? MPI_INT : MPI_UNSIGNED, MPI_SUM, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
