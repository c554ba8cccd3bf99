// SPDX-License-Identifier: MIT
//
// A rank gives another more than that expects of it.
// check: collective.count
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int sent[4] = {1, 2, 3, 4}, received[4], places[2] = {0, 2}, given[2] = {1, 2}, expected[2] = {1, 1};
  MPI_Alltoallv(sent, given, places, MPI_INT, received, expected, places, MPI_INT, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
