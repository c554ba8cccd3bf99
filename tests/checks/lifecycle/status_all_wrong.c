// SPDX-License-Identifier: MIT
//
// All ranks end with the same status: one finding.
// check: crash.exit_status
// says: ranks 0, 1 and 2 ended with exit status 3, the program's own
// ranks: 3
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  exit(3);  // <- here
}
