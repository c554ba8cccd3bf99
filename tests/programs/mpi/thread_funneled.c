// SPDX-License-Identifier: MIT
//
// MPI_THREAD_FUNNELED is what one gets when one asks for it.
// ranks: 2
// executions: 1
#include <assert.h>
#include <mpi.h>

int main(void) {
  int provided, queried;
  MPI_Init_thread(0, 0, MPI_THREAD_FUNNELED, &provided);
  MPI_Query_thread(&queried);
  assert(provided == MPI_THREAD_FUNNELED && queried == provided);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
