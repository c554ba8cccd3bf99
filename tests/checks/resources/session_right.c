// SPDX-License-Identifier: MIT
//
// A session is finalized.
// check: none
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Session session;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Session_finalize(&session);
  MPI_Finalize();
  return 0;
}
