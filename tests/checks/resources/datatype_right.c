// SPDX-License-Identifier: MIT
//
// A datatype is created and freed.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Datatype pair;
  MPI_Init(&argc, &argv);
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Type_free(&pair);
  MPI_Finalize();
  return 0;
}
