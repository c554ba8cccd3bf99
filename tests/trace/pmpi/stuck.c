// SPDX-License-Identifier: MIT
//
// Rank 0 waits for a message that rank 1 does not send, because it is killed.
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int rank, value = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) MPI_Recv(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) {
    usleep(300000);
    kill(getpid(), SIGKILL);
  }
  MPI_Finalize();
  return 0;
}
