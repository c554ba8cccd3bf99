// SPDX-License-Identifier: MIT
//
// Broadcasts by either function from any root: ROOT BYTES tree|pipeline.
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void broadcast_tree(char* data, int bytes, int root, MPI_Comm comm);
void broadcast_pipeline(char* data, int bytes, int root, MPI_Comm comm);

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int root = argc > 1 ? atoi(argv[1]) % size : 0, bytes = argc > 2 ? atoi(argv[2]) : 8;
  char* data = malloc(bytes + 1);
  for (int i = 0; i < bytes; ++i) data[i] = rank == root ? (char)(i % 251) : 0;
  if (argc > 3 && strcmp(argv[3], "pipeline") == 0) broadcast_pipeline(data, bytes, root, MPI_COMM_WORLD);
  else broadcast_tree(data, bytes, root, MPI_COMM_WORLD);
  for (int i = 0; i < bytes; ++i) assert(data[i] == (char)(i % 251));
  if (rank == 0) printf("everybody has %d bytes\n", bytes);
  free(data);
  MPI_Finalize();
  return 0;
}
