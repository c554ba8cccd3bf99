// SPDX-License-Identifier: MIT
//
// Three polling calls in turn, as in libraries that find out by polling when an exchange is over: rank 1 sends its last
// message only after its own polls got the answer "no", so neither rank's polling may keep the other from going on.
// ranks: 2
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int request_done = 0, reply_done = 0, flag, polls = 0;
  MPI_Request last;
  MPI_Irecv(0, 0, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD, &last);
  if (rank == 0) MPI_Send(0, 0, MPI_INT, 1, 1, MPI_COMM_WORLD);
  while (!reply_done) {
    MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    if (flag) {
      MPI_Recv(0, 0, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      request_done = 1;
    }
    MPI_Iprobe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    if (flag) MPI_Abort(MPI_COMM_WORLD, 9);  // nobody sends that
    if (rank == 1 && request_done && ++polls == 5) MPI_Send(0, 0, MPI_INT, 0, 4, MPI_COMM_WORLD);
    MPI_Test(&last, &reply_done, MPI_STATUS_IGNORE);
    if (rank == 0 && reply_done) MPI_Send(0, 0, MPI_INT, 1, 4, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
