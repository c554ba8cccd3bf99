// SPDX-License-Identifier: MIT
//
// A duplicate of a predefined type is freed.
// check: none
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Datatype type;
  MPI_Type_dup(MPI_INT, &type);
  MPI_Type_free(&type);
  MPI_Finalize();
  return 0;
}
