// SPDX-License-Identifier: MIT
//
// Between two groups nobody says to be the root whom the other group names.
// ranks: 4
// run: fails
// check: violation collective.root
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, value = 0;
  MPI_Comm half, both;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 0, &both);
  MPI_Reduce(&rank, &value, 1, MPI_INT, MPI_SUM, rank < 2 ? MPI_PROC_NULL : 0, both);
  MPI_Comm_free(&both);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
