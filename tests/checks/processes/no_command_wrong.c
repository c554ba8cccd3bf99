// SPDX-License-Identifier: MIT
//
// The command does not exist.
// check: argument.command
// ranks: 1
// says: no such file
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Comm children;
  MPI_Init(&argc, &argv);
  MPI_Comm_spawn("./no-such-program", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,  // <- here
                 MPI_ERRCODES_IGNORE);
  MPI_Comm_free(&children);
  MPI_Finalize();
  return 0;
}
