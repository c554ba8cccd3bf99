// SPDX-License-Identifier: MIT
//
// A session is never finalized.
// check: none
// warns: resource.session
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Session session;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);  // <- here
  MPI_Finalize();
  return 0;
}
