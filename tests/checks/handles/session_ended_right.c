// SPDX-License-Identifier: MIT
//
// A rank uses a session before finalizing it.
// check: none
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  int n;
  MPI_Session session, copy;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  copy = session;
  MPI_Session_get_num_psets(copy, MPI_INFO_NULL, &n);
  MPI_Session_finalize(&session);
  return 0;
}
