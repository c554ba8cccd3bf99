// SPDX-License-Identifier: MIT
//
// The members of one group share out the result in different ways.
// check: collective.count
// says: pass different recvcounts ({1, 2} and {2, 1})
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
  int rank, sent[3] = {1, 2, 3}, counts[2] = {1, 2}, got[3];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm both = connect(rank);
  if (rank == 1) counts[0] = 2, counts[1] = 1;
  MPI_Reduce_scatter(sent, got, counts, MPI_INT, MPI_SUM, both);  // <- here
  MPI_Comm_free(&both);
  MPI_Finalize();
  return 0;
}
