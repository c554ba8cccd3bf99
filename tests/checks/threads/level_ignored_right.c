// SPDX-License-Identifier: MIT
//
// The thread that initialised MPI finalizes it.
// check: none
// ranks: 1
// compile: -pthread
#include <mpi.h>
#include <pthread.h>

static void *finish(void *nothing) {
  MPI_Finalize();
  return nothing;
}

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  finish(NULL);
  return 0;
}
