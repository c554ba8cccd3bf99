// SPDX-License-Identifier: MIT
//
// A predefined type is freed.
// check: argument.datatype
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Datatype type = MPI_INT;
  MPI_Type_free(&type);  // <- here
  MPI_Finalize();
  return 0;
}
