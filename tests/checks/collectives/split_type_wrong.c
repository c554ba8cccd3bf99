// SPDX-License-Identifier: MIT
//
// The ranks pass different split types.
// check: collective.argument
// says: rank 0 splits by MPI_COMM_TYPE_SHARED, and rank 1 by MPI_COMM_TYPE_HW_UNGUIDED
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm node;
  int type = rank == 0 ? MPI_COMM_TYPE_SHARED : MPI_COMM_TYPE_HW_UNGUIDED;
  MPI_Comm_split_type(MPI_COMM_WORLD, type, 0, MPI_INFO_NULL, &node);  // <- here
  if (node != MPI_COMM_NULL) MPI_Comm_free(&node);
  MPI_Finalize();
  return 0;
}
