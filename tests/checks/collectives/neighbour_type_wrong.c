// SPDX-License-Identifier: MIT
//
// Rank 0 takes floating-point numbers from its neighbour, which gives whole ones. check: collective.signature warns:
// buffer.type // says: differ in type from the data expected from it (2 of MPI_FLOAT): element 0 is sent as MPI_INT
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int mine[2] = {1, 2}, all[2][2], sizes[1] = {2}, periodic[1] = {0};
  MPI_Comm line;
  MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, periodic, 0, &line);
  MPI_Neighbor_allgather(mine, 2, MPI_INT, all, 2, rank == 0 ? MPI_FLOAT : MPI_INT, line);  // <- here
  MPI_Comm_free(&line);
  MPI_Finalize();
  return 0;
}
