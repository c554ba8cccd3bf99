// SPDX-License-Identifier: MIT
//
// A tree that works only if the number of ranks is a power of two.
#include <mpi.h>

void broadcast_tree(char* data, int bytes, int root, MPI_Comm comm) {
  int rank, size, step = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int mine = (rank + size - root) % size;
  while (2 * step < size) step *= 2;
  for (; step > 0; step /= 2) {
    if (mine % (2 * step) == 0) MPI_Send(data, bytes, MPI_CHAR, (mine + step + root) % size, 0, comm);
    if (mine % (2 * step) == step)
      MPI_Recv(data, bytes, MPI_CHAR, (mine - step + root) % size, 0, comm, MPI_STATUS_IGNORE);
  }
}

void broadcast_pipeline(char* data, int bytes, int root, MPI_Comm comm) {
  const int piece = 65536;
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
