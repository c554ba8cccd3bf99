// SPDX-License-Identifier: MIT
//
// The ranks of a communicator are numbered backwards, and both receive before they send.
// check: deadlock.cycle
// says: for a message from rank 0 of comm#1 (rank 1 of MPI_COMM_WORLD) with tag 0, which waits in
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int number = rank, other;
  MPI_Comm backwards;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &backwards);
  MPI_Comm_rank(backwards, &other);
  MPI_Recv(&number, 1, MPI_INT, 1 - other, 0, backwards, MPI_STATUS_IGNORE);  // <- here
  MPI_Send(&number, 1, MPI_INT, 1 - other, 0, backwards);
  MPI_Comm_free(&backwards);
  MPI_Finalize();
  return 0;
}
