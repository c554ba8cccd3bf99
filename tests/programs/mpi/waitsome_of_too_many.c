// SPDX-License-Identifier: MIT
//
// Some of thirteen requests, all of which may be complete: more sets than are looked at.
// check: inconclusive
#include <assert.h>
#include <mpi.h>

enum { count = 13 };

static void collect(void) {
  int values[count], indices[count], ended;
  MPI_Request requests[count];
  for (int i = 0; i < count; ++i) MPI_Irecv(&values[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]);
  MPI_Waitsome(count, requests, &ended, indices, MPI_STATUSES_IGNORE);
  assert(ended >= 1);
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) collect();
  for (int i = 0; rank == 1 && i < count; ++i) MPI_Send(&i, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
