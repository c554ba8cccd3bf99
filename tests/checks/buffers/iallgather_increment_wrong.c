// SPDX-License-Identifier: MIT
//
// The program increments the send buffer of a pending MPI_Iallgather.
// check: buffer.written
// ranks: 2
// compile: --check-memory
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  int own = 5, all[2];
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Iallgather(&own, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, &request);
  own++;  // <- here
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
