// SPDX-License-Identifier: MIT
//
// The stride of a vector may be negative, its block length not.
// check: none
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Datatype type;
  MPI_Type_vector(3, 1, -2, MPI_INT, &type);
  MPI_Type_free(&type);
  MPI_Finalize();
  return 0;
}
