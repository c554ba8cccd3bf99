// SPDX-License-Identifier: MIT
//
// Buffered sends never wait, whatever is buffered otherwise; here both ranks send first.
// buffering: zero
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank, mine, theirs, size = sizeof(int) + MPI_BSEND_OVERHEAD;
  void *space = malloc(size), *back;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Buffer_attach(space, size);
  for (int i = 0; i < 2; ++i) {
    mine = 10 * rank + i;
    MPI_Bsend(&mine, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Recv(&theirs, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(theirs == 10 * (1 - rank) + i);
  }
  MPI_Buffer_detach(&back, &size);
  assert(back == space);
  free(space);
  MPI_Finalize();
  return 0;
}
