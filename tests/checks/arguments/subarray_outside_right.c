// SPDX-License-Identifier: MIT
//
// A subarray at the corner of its array.
// check: none
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int sizes[2] = {4, 4}, parts[2] = {2, 2};
  int starts[2] = {2, 2};
  MPI_Datatype type;
  MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &type);
  MPI_Type_free(&type);
  MPI_Finalize();
  return 0;
}
