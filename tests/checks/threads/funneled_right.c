// SPDX-License-Identifier: MIT
//
// With MPI_THREAD_FUNNELED, the thread that called MPI_Init_thread communicates.
// check: none
// compile: -pthread
#include <mpi.h>
#include <pthread.h>

static void *work(void *value) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    MPI_Send(value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  else
    MPI_Recv(value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return NULL;
}

int main(int argc, char **argv) {
  int value = 1, provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  work(&value);
  MPI_Finalize();
  return 0;
}
