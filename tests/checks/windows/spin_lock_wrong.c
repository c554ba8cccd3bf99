// SPDX-License-Identifier: MIT
//
// A rank keeps a spin lock, and the other one polls for it forever.
// check: progress.polling
// ranks: 2
// compile: --check-memory
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, *taken, was_taken = 0;
  const int no = 0, yes = 1;
  MPI_Win window;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &taken, &window);
  *taken = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
  do {
    MPI_Compare_and_swap(&yes, &no, &was_taken, MPI_INT, 0, 0, window);
    MPI_Win_flush(0, window);  // <- here
  } while (was_taken);
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
