// SPDX-License-Identifier: MIT
//
// Starts the next send before the previous one is complete: the request of the previous send is lost.
#include <mpi.h>

void stage(char* data, int bytes);  // exists already: the work of this rank on these bytes

// The data are on rank 0. Every rank works on all of them, one rank after the other. At the end the last rank has them.
void pipeline(char* data, int bytes, MPI_Comm comm) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int piece = 10000;
  MPI_Request sending = MPI_REQUEST_NULL;
  for (int begin = 0; begin < bytes; begin += piece) {
    const int length = bytes - begin < piece ? bytes - begin : piece;
    if (rank > 0) MPI_Recv(data + begin, length, MPI_CHAR, rank - 1, 0, comm, MPI_STATUS_IGNORE);
    stage(data + begin, length);
    if (rank + 1 < size) MPI_Isend(data + begin, length, MPI_CHAR, rank + 1, 0, comm, &sending);
  }
  MPI_Wait(&sending, MPI_STATUS_IGNORE);
}
