// SPDX-License-Identifier: MIT
//
// Receives into the block that it still reads.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

// Adds the contribution of the block of B of this owner to my rows of C.
static void add_block(int rows, int n, int owner, const double* a, const double* block, double* c) {
  for (int i = 0; i < rows; ++i) {
    for (int k = 0; k < rows; ++k) {
      for (int j = 0; j < n; ++j) c[i * n + j] += a[i * n + owner * rows + k] * block[k * n + j];
    }
  }
}

// Each rank has `rows` rows of A and B, n columns wide, and computes these rows of C = A B; n = rows * ranks.
void multiply(int rows, int n, const double* a, const double* b, double* c, MPI_Comm comm) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  const size_t bytes = sizeof(double) * rows * n;
  double* block = malloc(bytes);
  memcpy(block, b, bytes);
  memset(c, 0, bytes);
  for (int step = 0; step < size; ++step) {
    MPI_Request requests[2];
    const int owner = (rank + size - step) % size;
    if (step + 1 < size) {
      MPI_Irecv(block, rows * n, MPI_DOUBLE, previous, 0, comm, &requests[0]);
      MPI_Isend(block, rows * n, MPI_DOUBLE, next, 0, comm, &requests[1]);
    }
    add_block(rows, n, owner, a, block, c);
    if (step + 1 < size) {
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
  }
  free(block);
}
