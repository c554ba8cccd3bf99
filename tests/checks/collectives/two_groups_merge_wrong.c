// SPDX-License-Identifier: MIT
//
// One group merges the two, the other duplicates the intercommunicator.
// check: collective.operation
// says: call different collectives
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
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm both = connect(rank);
  MPI_Comm made;
  if (rank < 2) MPI_Intercomm_merge(both, 0, &made);  // <- here
  else MPI_Comm_dup(both, &made);                     // <- here
  MPI_Comm_free(&made);
  MPI_Comm_free(&both);
  MPI_Finalize();
  return 0;
}
