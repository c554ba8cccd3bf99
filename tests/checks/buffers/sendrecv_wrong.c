// SPDX-License-Identifier: MIT
//
// The two buffers of an MPI_Sendrecv overlap.
// check: buffer.overlap
// ranks: 2
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  int a[6] = {1, 2, 3, 4, 5, 6};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;
  MPI_Sendrecv(a, 4, MPI_INT, other, 0, a + 2, 4, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // <- here
  MPI_Finalize();
  return 0;
}
