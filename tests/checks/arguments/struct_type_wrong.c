// SPDX-License-Identifier: MIT
//
// One of the types of a structure is not set.
// check: argument.datatype
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int lengths[2] = {1, 1};
  MPI_Aint places[2] = {0, 8};
  MPI_Datatype types[2] = {MPI_INT, MPI_DATATYPE_NULL};
  MPI_Datatype type;
  MPI_Type_create_struct(2, lengths, places, types, &type);  // <- here
  MPI_Type_free(&type);
  MPI_Finalize();
  return 0;
}
