// SPDX-License-Identifier: MIT
//
// Ten thousand types of one line are never freed, which is one finding.
// check: none
// warns: resource.datatype
// says: 10000 datatypes
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Datatype types[10000];
  for (int i = 0; i < 10000; ++i)
    MPI_Type_contiguous(i, MPI_INT, &types[i]);  // <- here
  (void)types;
  MPI_Finalize();
  return 0;
}
