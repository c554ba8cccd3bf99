// SPDX-License-Identifier: MIT
//
// A halo exchange that receives into the tail of a vector and sends from the same vector, in the pattern of finite
// element mini-apps. With `wrong` it makes the mistake that is in some of them: the elements to send are named by
// indices that reach into the tail, so that a send reads what a pending receive writes.
//
// Usage: shared_buffer [wrong]
#include <assert.h>
#include <mpi.h>
#include <string.h>

enum { owned = 8, halo = 2 };

int main(int argc, char** argv) {
  double x[owned + 2 * halo];
  MPI_Request receives[2];
  int rank, size, neighbours = 0, other[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int wrong = argc > 1 && strcmp(argv[1], "wrong") == 0;
  for (int i = 0; i < owned + 2 * halo; ++i) x[i] = i < owned ? rank : -1;
  if (rank > 0) other[neighbours++] = rank - 1;
  if (rank + 1 < size) other[neighbours++] = rank + 1;
  for (int i = 0; i < neighbours; ++i)
    MPI_Irecv(x + owned + i * halo, halo, MPI_DOUBLE, other[i], 0, MPI_COMM_WORLD, &receives[i]);
  for (int i = 0; i < neighbours; ++i) {
    const double* edge = other[i] < rank ? x : x + owned - halo;
    MPI_Send(wrong ? edge + 1 : edge, halo, MPI_DOUBLE, other[i], 0, MPI_COMM_WORLD);
  }
  MPI_Waitall(neighbours, receives, MPI_STATUSES_IGNORE);
  for (int i = 0; i < neighbours; ++i) assert(x[owned + i * halo] == other[i]);
  MPI_Finalize();
  return 0;
}
