// SPDX-License-Identifier: MIT
//
// A window is exposed twice, one exposure after the other.
// check: none
// ranks: 2
// compile: --check-memory
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, value = 5;
  int memory[4] = {0, 0, 0, 0};
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Group world, one;
  int first = 0, second = 1;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, rank == 0 ? &second : &first, &one);
  for (int i = 0; i < 2; ++i) {
    if (rank == 0) {
      MPI_Win_post(one, 0, win);
      MPI_Win_wait(win);
    } else if (rank == 1) {
      MPI_Win_start(one, 0, win);
      MPI_Win_complete(win);
    }
  }
  MPI_Group_free(&one);
  MPI_Group_free(&world);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
