// SPDX-License-Identifier: MIT
//
// The result of an MPI_Iallreduce is read before that is complete.
// check: buffer.read
// ranks: 2
// compile: --check-memory
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  int own = 5, sum = 0;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Iallreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  if (sum > 10) MPI_Abort(MPI_COMM_WORLD, 1);  // <- here
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
