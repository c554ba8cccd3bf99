// SPDX-License-Identifier: MIT
//
// Long rows of operations on the window of rank 0, by all other ranks. The first argument is the kind of row: put (in
// one epoch of MPI_Win_lock_all, each to a place of its own), flush (the same with a flush behind each), section (each
// put in an exclusive section), or fetch (MPI_Fetch_and_op of one element, each with a flush). The second is how many.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int rank, size, *memory, got;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char *kind = argc > 1 ? argv[1] : "put";
  const int length = argc > 2 ? atoi(argv[2]) : 1000;
  const int puts = strcmp(kind, "fetch") != 0, flushes = strcmp(kind, "put") != 0, locks = strcmp(kind, "section") == 0;
  MPI_Win win;
  const MPI_Aint bytes = rank == 0 ? (MPI_Aint)length * size * sizeof *memory : 0;
  MPI_Win_allocate(bytes, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  if (rank == 0) memset(memory, 0, bytes);
  MPI_Barrier(MPI_COMM_WORLD);
  if (!locks) MPI_Win_lock_all(0, win);
  for (int i = 0; i < length && rank > 0; ++i) {
    if (locks) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    if (puts) MPI_Put(&rank, 1, MPI_INT, 0, (MPI_Aint)length * rank + i, 1, MPI_INT, win);
    else MPI_Fetch_and_op(&rank, &got, MPI_INT, 0, 0, MPI_SUM, win);
    if (locks) MPI_Win_unlock(0, win);
    else if (flushes) MPI_Win_flush(0, win);
  }
  if (!locks) MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
