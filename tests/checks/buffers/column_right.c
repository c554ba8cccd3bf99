// SPDX-License-Identifier: MIT
//
// The program writes an element beside a column while a send of the column is pending.
// check: none
// ranks: 2
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  int grid[4][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}}, taken[4];
  MPI_Datatype column;
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;
  MPI_Type_vector(4, 1, 3, MPI_INT, &column);
  MPI_Type_commit(&column);
  MPI_Irecv(taken, 4, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(&grid[0][1], 1, column, other, 0, MPI_COMM_WORLD, &requests[0]);
  grid[2][0] = 0;
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Type_free(&column);
  MPI_Finalize();
  return 0;
}
