// SPDX-License-Identifier: MIT
//
// A rank accepts the connection of another one.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  char port[MPI_MAX_PORT_NAME] = "";
  MPI_Comm other;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
    MPI_Comm_free(&other);
    MPI_Close_port(port);
  } else {
    MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
    MPI_Comm_free(&other);
  }
  MPI_Finalize();
  return 0;
}
