// SPDX-License-Identifier: MIT
//
// All give their neighbours as much as they take, though the buffers have more room.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int mine[2] = {1, 2}, all[2][2], sizes[1] = {2}, periodic[1] = {0};
  MPI_Comm line;
  MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, periodic, 0, &line);
  MPI_Neighbor_allgather(mine, 1, MPI_INT, all, 1, MPI_INT, line);
  MPI_Comm_free(&line);
  MPI_Finalize();
  return 0;
}
