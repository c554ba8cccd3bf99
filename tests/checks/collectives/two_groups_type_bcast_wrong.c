// SPDX-License-Identifier: MIT
//
// The root broadcasts an int to a group that expects a float.
// check: collective.signature
// warns: buffer.type
// says: name different types
// ranks: 4
#include <mpi.h>

// Ranks 0 and 1 are one group, ranks 2 and 3 the other.
static MPI_Comm connect(int rank) {
  MPI_Comm half, both;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 0, &both);
  MPI_Comm_free(&half);
  return both;
}

int main(int argc, char** argv) {
  int rank, number = 7;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm both = connect(rank);
  int root = rank >= 2 ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
  MPI_Bcast(&number, 1, rank < 2 ? MPI_INT : MPI_FLOAT, root, both);  // <- here
  MPI_Comm_free(&both);
  MPI_Finalize();
  return 0;
}
