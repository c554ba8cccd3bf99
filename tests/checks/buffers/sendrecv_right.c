// SPDX-License-Identifier: MIT
//
// MPI_Sendrecv_replace is made for one buffer.
// check: none
// ranks: 2
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  int a[6] = {1, 2, 3, 4, 5, 6};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;
  MPI_Sendrecv_replace(a, 4, MPI_INT, other, 0, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
