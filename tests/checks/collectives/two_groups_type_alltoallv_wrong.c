// SPDX-License-Identifier: MIT
//
// One group sends int to a group that expects unsigned.
// check: collective.signature
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
  int rank, counts[2] = {1, 1}, places[2] = {0, 1}, sent[2] = {1, 2}, got[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm both = connect(rank);
  MPI_Datatype type = rank < 2 ? MPI_INT : MPI_UNSIGNED;
  MPI_Alltoallv(sent, counts, places, MPI_INT, got, counts, places, type, both);  // <- here
  MPI_Comm_free(&both);
  MPI_Finalize();
  return 0;
}
