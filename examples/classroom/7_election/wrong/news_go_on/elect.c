// SPDX-License-Identifier: MIT
//
// The winner does not receive its own news: the last message is lost.
#include <mpi.h>

enum { tag_candidate, tag_elected };

int elect(int id, MPI_Comm comm) {
  int rank, size, heard;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  MPI_Request sending;
  MPI_Status status;
  int mine = id, passing;
  MPI_Isend(&mine, 1, MPI_INT, right, tag_candidate, comm, &sending);
  for (;;) {
    MPI_Recv(&heard, 1, MPI_INT, left, MPI_ANY_TAG, comm, &status);
    MPI_Wait(&sending, MPI_STATUS_IGNORE);
    passing = heard;
    if (status.MPI_TAG == tag_elected) break;           // another rank has won
    if (heard < id) {                                   // discarded: mine is larger
      sending = MPI_REQUEST_NULL;
      continue;
    }
    // My own id, which has gone around, or a larger one, which I pass on.
    MPI_Isend(&passing, 1, MPI_INT, right, heard == id ? tag_elected : tag_candidate, comm, &sending);
    if (heard == id) {  // the news must go around, too
      MPI_Wait(&sending, MPI_STATUS_IGNORE);
      return heard;
    }
  }
  MPI_Send(&passing, 1, MPI_INT, right, tag_elected, comm);
  return heard;
}
