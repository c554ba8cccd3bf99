// SPDX-License-Identifier: MIT
//
// All between two pending receives is read, and its last four bytes once more.
// check: none
// compile: --check-memory -O1
#include <mpi.h>
#include <stdint.h>
#include <string.h>

typedef struct __attribute__((packed)) {
  uint32_t value;
} Unaligned;

int main(int argc, char **argv) {
  int rank;
  static unsigned char bytes[6000];
  unsigned sum = 0;
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Irecv(bytes, 1000, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(bytes + 5000, 1000, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &requests[1]);
    for (int i = 1000; i < 5000; ++i) sum += bytes[i];
    sum += ((const volatile Unaligned *)(bytes + 4996))->value;
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    if (sum > 0) MPI_Abort(MPI_COMM_WORLD, 1);
  } else {
    memset(bytes, 0, sizeof bytes);
    MPI_Send(bytes, 1000, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    MPI_Send(bytes, 1000, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
