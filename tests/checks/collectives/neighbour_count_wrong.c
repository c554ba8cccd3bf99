// SPDX-License-Identifier: MIT
//
// Rank 0 gives its neighbours fewer numbers than they take.
// check: collective.count
// says: rank 0 sends 4 bytes
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int mine[2] = {1, 2}, all[2][2], sizes[1] = {2}, periodic[1] = {0};
  MPI_Comm line;
  MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, periodic, 0, &line);
  MPI_Neighbor_allgather(mine, rank == 0 ? 1 : 2, MPI_INT, all, 2, MPI_INT, line);  // <- here
  MPI_Comm_free(&line);
  MPI_Finalize();
  return 0;
}
