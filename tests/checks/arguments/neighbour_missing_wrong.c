// SPDX-License-Identifier: MIT
//
// An exchange with neighbours on a communicator without a topology.
// check: argument.topology
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int sizes[1] = {2}, periods[1] = {1}, mine = rank, theirs[2];
  MPI_Comm ring;
  MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, periods, 0, &ring);
  MPI_Neighbor_allgather(&mine, 1, MPI_INT, theirs, 1, MPI_INT, MPI_COMM_WORLD);  // <- here
  MPI_Comm_free(&ring);
  MPI_Finalize();
  return 0;
}
