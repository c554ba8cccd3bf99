// SPDX-License-Identifier: MIT
//
// The count and the datatype of a broadcast are swapped: the type's handle is taken for a count.
// check: argument.datatype
// ranks: 1
// compile: -w
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int numbers[4] = {1, 2, 3, 4};
  MPI_Bcast(numbers, (int)(long)MPI_INT, (MPI_Datatype)4, 0, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
