// SPDX-License-Identifier: MIT
//
// One member thinks that there is nothing to broadcast: the counts differ, not the types.
// check: collective.count
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, data[5] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Bcast(data, rank == 0 ? 5 : 0, MPI_INT, 0, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
