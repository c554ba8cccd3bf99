// SPDX-License-Identifier: MIT
//
// One rank exchanges other types than the other.
// check: collective.signature
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int sent[2] = {1, 2}, received[2];
  MPI_Alltoall(sent, 1, MPI_UNSIGNED, received, 1, MPI_INT, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
