// SPDX-License-Identifier: MIT
//
// The blocks of a vector have fewer than no elements.
// check: argument.count
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Datatype type;
  MPI_Type_vector(3, -1, 2, MPI_INT, &type);  // <- here
  MPI_Type_free(&type);
  MPI_Finalize();
  return 0;
}
