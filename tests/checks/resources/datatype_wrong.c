// SPDX-License-Identifier: MIT
//
// A datatype is created and never freed.
// check: none
// warns: resource.datatype
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Datatype pair;
  MPI_Init(&argc, &argv);
  MPI_Type_contiguous(2, MPI_INT, &pair);  // <- here
  MPI_Type_commit(&pair);
  MPI_Finalize();
  return 0;
}
