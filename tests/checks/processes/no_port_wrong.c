// SPDX-License-Identifier: MIT
//
// The port does not exist.
// check: argument.port
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  char port[MPI_MAX_PORT_NAME] = "";
  MPI_Comm other;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) {
    MPI_Comm_connect("host:1234", MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);  // <- here
    MPI_Comm_free(&other);
  }
  MPI_Finalize();
  return 0;
}
