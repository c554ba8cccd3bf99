// SPDX-License-Identifier: MIT
//
// A send and a receive under one request, alone and among others.
// ranks: 2
#include <assert.h>
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, theirs = -1, both, first, second, count;
  MPI_Request requests[2];
  MPI_Status status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Isendrecv(&rank, 1, MPI_INT, 1 - rank, 3, &theirs, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &requests[0]);
  MPI_Wait(&requests[0], &status);
  MPI_Get_count(&status, MPI_INT, &count);
  assert(theirs == 1 - rank && status.MPI_SOURCE == 1 - rank && status.MPI_TAG == 3 && count == 1);
  both = 10 + rank;
  MPI_Isendrecv_replace(&both, 1, MPI_INT, 1 - rank, 4, 1 - rank, 4, MPI_COMM_WORLD, &requests[0]);
  MPI_Isendrecv(&rank, 1, MPI_INT, 1 - rank, 5, &theirs, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitany(2, requests, &first, &status);
  assert(requests[first] == MPI_REQUEST_NULL);
  MPI_Waitany(2, requests, &second, &status);
  assert(first + second == 1 && both == 11 - rank && theirs == 1 - rank);
  MPI_Isendrecv(&rank, 1, MPI_INT, MPI_PROC_NULL, 5, &theirs, 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD,
                &requests[0]);
  MPI_Wait(&requests[0], &status);
  assert(status.MPI_SOURCE == MPI_PROC_NULL);
  MPI_Finalize();
  return 0;
}
