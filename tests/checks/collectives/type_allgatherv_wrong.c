// SPDX-License-Identifier: MIT
//
// A rank gives floating-point numbers, and the others expect integers.
// check: collective.signature
// warns: buffer.type
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int mine[2] = {1, 2}, all[3], counts[2] = {1, 2}, places[2] = {0, 1};
  MPI_Datatype type = rank == 0 ? MPI_INT : MPI_FLOAT;
  MPI_Allgatherv(mine, rank + 1, type, all, counts, places, MPI_INT, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
