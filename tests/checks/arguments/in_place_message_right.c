// SPDX-License-Identifier: MIT
//
// MPI_IN_PLACE in a collective that takes it.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int number = 7;
  MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
