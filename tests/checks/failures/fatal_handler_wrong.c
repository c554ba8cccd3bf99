// SPDX-License-Identifier: MIT
//
// The default error handler ends the job when a rank hears of a failure.
// check: failure.fatal
// options: --failures 1
// ranks: 2
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Barrier(MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
