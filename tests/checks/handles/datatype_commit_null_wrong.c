// SPDX-License-Identifier: MIT
//
// A type is committed after it was freed.
// check: argument.datatype
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Datatype type;
  MPI_Type_contiguous(2, MPI_INT, &type);
  MPI_Type_free(&type);
  MPI_Type_commit(&type);  // <- here
  MPI_Finalize();
  return 0;
}
