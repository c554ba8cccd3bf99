// SPDX-License-Identifier: MIT
//
// One group sends two elements each, the other expects one of each.
// check: collective.count
// says: name different counts
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
  int rank, sent[2] = {1, 2}, got[4];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm both = connect(rank);
  MPI_Allgather(sent, rank < 2 ? 2 : 1, MPI_INT, got, 1, MPI_INT, both);  // <- here
  MPI_Comm_free(&both);
  MPI_Finalize();
  return 0;
}
