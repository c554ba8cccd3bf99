// SPDX-License-Identifier: MIT
//
// The ranks of a communicator are numbered backwards, and they exchange in one call.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = rank, other;
  MPI_Comm backwards;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &backwards);
  MPI_Comm_rank(backwards, &other);
  MPI_Sendrecv_replace(&number, 1, MPI_INT, 1 - other, 0, 1 - other, 0, backwards, MPI_STATUS_IGNORE);
  MPI_Comm_free(&backwards);
  MPI_Finalize();
  return 0;
}
