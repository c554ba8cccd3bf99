// SPDX-License-Identifier: MIT
//
// The blocks of the datatype of a receive overlap.
// check: buffer.overlap
// ranks: 2
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  int given[4] = {1, 2, 3, 4}, taken[8];
  MPI_Datatype blocks;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;
  MPI_Type_vector(2, 2, 1, MPI_INT, &blocks);
  MPI_Type_commit(&blocks);
  MPI_Irecv(taken, 1, blocks, other, 0, MPI_COMM_WORLD, &request);  // <- here
  MPI_Ssend(given, 4, MPI_INT, other, 0, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Type_free(&blocks);
  MPI_Finalize();
  return 0;
}
