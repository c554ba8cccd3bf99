// SPDX-License-Identifier: MIT
//
// A pipeline with one piece is a chain: each rank waits until the previous rank has the whole message.
#include <mpi.h>

void broadcast_tree(char* data, int bytes, int root, MPI_Comm comm) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int mine = (rank + size - root) % size;  // as if the root were rank 0
  int step = 1;
  while (step <= mine) step *= 2;  // in the previous round I receive from mine - step / 2
  if (mine > 0) MPI_Recv(data, bytes, MPI_CHAR, (mine - step / 2 + root) % size, 0, comm, MPI_STATUS_IGNORE);
  for (; mine + step < size; step *= 2) MPI_Send(data, bytes, MPI_CHAR, (mine + step + root) % size, 0, comm);
}

void broadcast_pipeline(char* data, int bytes, int root, MPI_Comm comm) {
  const int piece = bytes > 0 ? bytes : 1;
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int mine = (rank + size - root) % size;
  const int before = (rank + size - 1) % size, after = (rank + 1) % size;
  MPI_Request sending = MPI_REQUEST_NULL;
  for (int begin = 0; begin < bytes; begin += piece) {
    const int length = bytes - begin < piece ? bytes - begin : piece;
    if (mine > 0) MPI_Recv(data + begin, length, MPI_CHAR, before, 0, comm, MPI_STATUS_IGNORE);
    MPI_Wait(&sending, MPI_STATUS_IGNORE);  // the previous piece left while this one arrived
    if (mine < size - 1) MPI_Isend(data + begin, length, MPI_CHAR, after, 0, comm, &sending);
  }
  MPI_Wait(&sending, MPI_STATUS_IGNORE);
}
