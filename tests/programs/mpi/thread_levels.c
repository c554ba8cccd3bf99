// SPDX-License-Identifier: MIT
//
// Ranks are one thread each: MPI_THREAD_MULTIPLE is answered with MPI_THREAD_SERIALIZED.
// ranks: 2
// executions: 1
#include <assert.h>
#include <mpi.h>

int main(int argc, char** argv) {
  int provided = -1, queried = -1, flag = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  assert(provided == MPI_THREAD_SERIALIZED);
  MPI_Query_thread(&queried);
  assert(queried == provided);
  MPI_Is_thread_main(&flag);
  assert(flag);
  MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided);
  assert(provided == MPI_THREAD_SERIALIZED);
  MPI_T_finalize();
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
