// SPDX-License-Identifier: MIT
//
// Calls that a recording of a real MPI cannot have.
#include <mpi.h>

int main(int argc, char** argv) {
  int value = 0;
  MPI_Win window;
  MPI_Init(&argc, &argv);
  MPI_Win_create(&value, sizeof value, sizeof value, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
