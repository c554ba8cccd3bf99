// SPDX-License-Identifier: MIT
//
// The port is closed.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  char port[MPI_MAX_PORT_NAME] = "";
  MPI_Comm other;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  (void)other;
  if (rank == 0) {
    MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Close_port(port);
  }
  MPI_Finalize();
  return 0;
}
