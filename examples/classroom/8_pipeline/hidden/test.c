// SPDX-License-Identifier: MIT
//
// Each stage takes 20 ns per byte and 20 us per call, and adds 1 to each byte.
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void pipeline(char* data, int bytes, MPI_Comm comm);

void stage(char* data, int bytes) {
  const struct timespec time = {0, 20000 + 20L * bytes};
  nanosleep(&time, NULL);
  for (int i = 0; i < bytes; ++i) ++data[i];
}

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int bytes = argc > 1 ? atoi(argv[1]) : 10;
  char* data = calloc(bytes + 1, 1);
  for (int i = 0; rank == 0 && i < bytes; ++i) data[i] = (char)(i % 100);
  pipeline(data, bytes, MPI_COMM_WORLD);
  for (int i = 0; rank == size - 1 && i < bytes; ++i) assert(data[i] == (char)(i % 100 + size));
  if (rank == size - 1) printf("%d bytes have passed %d stages\n", bytes, size);
  free(data);
  MPI_Finalize();
  return 0;
}
