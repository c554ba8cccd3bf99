// SPDX-License-Identifier: MIT
//
// Each rank names itself as the root of the broadcast.
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
  double* block = malloc(sizeof *block * rows * n);
  memset(c, 0, sizeof *c * rows * n);
  for (int step = 0; step < size; ++step) {
    const int owner = (rank + step) % size;
    if (owner == rank) memcpy(block, b, sizeof *block * rows * n);
    MPI_Bcast(block, rows * n, MPI_DOUBLE, owner, comm);
    add_block(rows, n, owner, a, block, c);
  }
  free(block);
}
