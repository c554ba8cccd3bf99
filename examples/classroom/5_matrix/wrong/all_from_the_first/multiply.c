// SPDX-License-Identifier: MIT
//
// Correct, but all of B goes through rank 0, which becomes the bottleneck.
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
  const int count = rows * n;
  double* all = malloc(sizeof *all * count * size);
  if (rank == 0) {
    memcpy(all, b, sizeof *b * count);
    for (int other = 1; other < size; ++other)
      MPI_Recv(all + other * count, count, MPI_DOUBLE, other, 0, comm, MPI_STATUS_IGNORE);
    for (int other = 1; other < size; ++other) MPI_Send(all, count * size, MPI_DOUBLE, other, 0, comm);
  } else {
    MPI_Send(b, count, MPI_DOUBLE, 0, 0, comm);
    MPI_Recv(all, count * size, MPI_DOUBLE, 0, 0, comm, MPI_STATUS_IGNORE);
  }
  memset(c, 0, sizeof *c * count);
  for (int owner = 0; owner < size; ++owner) add_block(rows, n, owner, a, all + owner * count, c);
  free(all);
}
