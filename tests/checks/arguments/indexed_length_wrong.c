// SPDX-License-Identifier: MIT
//
// One block of an indexed type has a negative length.
// check: argument.count
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int lengths[2] = {1, -1}, places[2] = {0, 4};
  MPI_Datatype type;
  MPI_Type_indexed(2, lengths, places, MPI_INT, &type);  // <- here
  MPI_Type_free(&type);
  MPI_Finalize();
  return 0;
}
