// SPDX-License-Identifier: MIT
//
// Memory is detached from the middle of what was attached.
// check: rma.attach
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
  MPI_Win dynamic;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &dynamic);
  MPI_Win_attach(dynamic, memory, sizeof memory);
  if (rank == 0) MPI_Win_detach(dynamic, memory + 1);  // <- here
  MPI_Win_free(&dynamic);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
