// SPDX-License-Identifier: MIT
//
// MPI_THREAD_MULTIPLE is provided in simulated time; explorations answer it with MPI_THREAD_SERIALIZED.
// ranks: 2
// executions: 1
#include <assert.h>
#include <mpi.h>

int main(int argc, char** argv) {
  int provided = -1, queried = -1, flag = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  assert(provided == MPI_THREAD_SERIALIZED || provided == MPI_THREAD_MULTIPLE);
  MPI_Query_thread(&queried);
  assert(queried == provided);
  MPI_Is_thread_main(&flag);
  assert(flag);
  MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided);
  assert(provided == queried);
  MPI_T_finalize();
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
