// SPDX-License-Identifier: MIT
//
// MPI_COMM_WORLD is used in a program that calls MPI_Init besides.
// check: none
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  int number;
  MPI_Init(&argc, &argv);
  MPI_Session session;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Comm_size(MPI_COMM_WORLD, &number);
  MPI_Session_finalize(&session);
  MPI_Finalize();
  return 0;
}
