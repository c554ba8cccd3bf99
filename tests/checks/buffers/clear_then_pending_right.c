// SPDX-License-Identifier: MIT
//
// The program reads much memory between two, and then between three, pending receives.
// check: none
// compile: --check-memory -O0
#include <mpi.h>

static int data[30000];

static int sum(void) {
  int total = 0;
  for (int i = 10000; i < 20000; ++i)
    total += data[i];
  return total;
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;
  MPI_Request requests[3];
  MPI_Irecv(data, 10, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(data + 29990, 10, MPI_INT, other, 1, MPI_COMM_WORLD, &requests[1]);
  int total = sum();
  MPI_Irecv(data + 25000, 10, MPI_INT, other, 2, MPI_COMM_WORLD, &requests[2]);
  total += sum();
  for (int tag = 0; tag < 3; ++tag) MPI_Send(&total, 1, MPI_INT, other, tag, MPI_COMM_WORLD);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return 0;
}
