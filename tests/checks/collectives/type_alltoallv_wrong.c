// SPDX-License-Identifier: MIT
//
// One rank gives other types than the others expect.
// check: collective.signature
// warns: buffer.type
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int sent[3] = {1, 2, 3}, received[4], given[2] = {1, 2}, places[2] = {0, 1};
  int expected[2] = {rank + 1, rank + 1}, where[2] = {0, 2};
  MPI_Alltoallv(sent, given, places, MPI_FLOAT, received, expected, where, MPI_INT, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
