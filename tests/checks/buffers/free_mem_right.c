// SPDX-License-Identifier: MIT
//
// Memory of MPI_Alloc_mem is given back when the broadcast into it is complete.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Request request;
  int* numbers;
  MPI_Alloc_mem(10 * sizeof *numbers, MPI_INFO_NULL, &numbers);
  for (int i = 0; i < 10; ++i) numbers[i] = rank;
  MPI_Ibcast(numbers, 10, MPI_INT, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Free_mem(numbers);
  MPI_Finalize();
  return 0;
}
