// SPDX-License-Identifier: MIT
//
// Ten thousand types of one line are freed.
// check: none
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Datatype types[10000];
  for (int i = 0; i < 10000; ++i)
    MPI_Type_contiguous(i, MPI_INT, &types[i]);
  for (int i = 0; i < 10000; ++i) MPI_Type_free(&types[i]);
  (void)types;
  MPI_Finalize();
  return 0;
}
