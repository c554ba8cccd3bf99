// SPDX-License-Identifier: MIT
//
// Rank 1 takes no part in the split: MPI_UNDEFINED is legal together with any type.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm node;
  int type = rank == 0 ? MPI_COMM_TYPE_SHARED : MPI_UNDEFINED;
  MPI_Comm_split_type(MPI_COMM_WORLD, type, 0, MPI_INFO_NULL, &node);
  if (node != MPI_COMM_NULL) MPI_Comm_free(&node);
  MPI_Finalize();
  return 0;
}
