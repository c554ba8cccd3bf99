// SPDX-License-Identifier: MIT
//
// Some of nine requests: one can be complete at a time here.
// check: verified
#include <assert.h>
#include <mpi.h>

enum { count = 9 };

static void collect(void) {
  int values[count], indices[count], ended;
  MPI_Request requests[count];
  for (int i = 0; i < count; ++i) MPI_Irecv(&values[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]);
  for (int i = 0; i < count; ++i) {
    MPI_Waitsome(count, requests, &ended, indices, MPI_STATUSES_IGNORE);
    assert(ended == 1 && indices[0] == i && values[i] == i);
    MPI_Send(&i, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) collect();
  for (int i = 0; rank == 1 && i < count; ++i) {
    int answer;
    MPI_Send(&i, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
    MPI_Recv(&answer, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(answer == i);
  }
  MPI_Finalize();
  return 0;
}
