// SPDX-License-Identifier: MIT
//
// The pages of a receive buffer are unmapped while the receive is pending.
// check: buffer.freed
// compile: -D_GNU_SOURCE
#include <mpi.h>
#include <stddef.h>
#include <sys/mman.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request request;
    int* numbers = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MPI_Irecv(numbers, 10, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    munmap(numbers, 4096);  // <- here
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    int given[10] = {0};
    MPI_Send(given, 10, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
