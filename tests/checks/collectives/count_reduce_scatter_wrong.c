// SPDX-License-Identifier: MIT
//
// The ranks divide the result in different ways.
// check: collective.signature
// says: they pass different recvcounts ({1, 2} and {2, 1}) as the 1st collective
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int mine[3] = {1, 2, 3}, part[2], counts[2] = {1 + rank, 2 - rank};
  MPI_Reduce_scatter(mine, part, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
