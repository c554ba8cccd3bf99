// SPDX-License-Identifier: MIT
//
// Two ranks send each other one message after the other, without computation. Arguments: the number of messages of both
// (10000) and their bytes (32).
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int messages = argc > 1 ? atoi(argv[1]) : 10000;
  const int bytes = argc > 2 ? atoi(argv[2]) : 32;
  char* data = calloc(bytes > 0 ? bytes : 1, 1);
  const double begin = MPI_Wtime();
  for (int i = 0; i < messages && rank < 2; ++i) {
    if (i % 2 == rank) MPI_Send(data, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD);
    else MPI_Recv(data, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  // The last message arrives at rank 1 if their number is odd, and at rank 0 if it is even.
  if (rank == messages % 2) printf("%.12f\n", MPI_Wtime() - begin);
  free(data);
  MPI_Finalize();
  return 0;
}
