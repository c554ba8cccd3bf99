// SPDX-License-Identifier: MIT
//
// The datatype and the operator of a reduction are swapped.
// check: argument.datatype
// ranks: 1
// compile: -w
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int number = 1, sum = 0;
  MPI_Allreduce(&number, &sum, 1, (MPI_Datatype)MPI_SUM, (MPI_Op)MPI_INT, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
