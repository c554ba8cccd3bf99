// SPDX-License-Identifier: MIT
//
// An element of a column is read while the column is received.
// check: buffer.read
// ranks: 2
// compile: --check-memory
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  int grid[4][3] = {{0}}, given[4] = {1, 2, 3, 4};
  MPI_Datatype column;
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;
  MPI_Type_vector(4, 1, 3, MPI_INT, &column);
  MPI_Type_commit(&column);
  MPI_Irecv(&grid[0][1], 1, column, other, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(given, 4, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[0]);
  if (grid[2][1] > 9) MPI_Abort(MPI_COMM_WORLD, 1);  // <- here
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Type_free(&column);
  MPI_Finalize();
  return 0;
}
