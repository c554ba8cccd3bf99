// SPDX-License-Identifier: MIT
//
// Two persistent receives into one buffer are active at once.
// check: buffer.overlap.receives
// ranks: 2
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  int given = 1, taken;
  MPI_Request requests[2], sends[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;
  MPI_Recv_init(&taken, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(&taken, 1, MPI_INT, other, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(&given, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &sends[0]);
  MPI_Isend(&given, 1, MPI_INT, other, 1, MPI_COMM_WORLD, &sends[1]);
  MPI_Start(&requests[0]);
  MPI_Start(&requests[1]);  // <- here
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  MPI_Finalize();
  return 0;
}
