// SPDX-License-Identifier: MIT
//
// Within one communicator the root is a rank.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int number = 7;
  MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
