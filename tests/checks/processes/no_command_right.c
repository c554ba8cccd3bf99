// SPDX-License-Identifier: MIT
//
// The program expects that the command may not exist.
// check: none
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Comm children;
  int code;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (MPI_Comm_spawn("./no-such-program", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, &code) ==
      MPI_SUCCESS)
    MPI_Comm_free(&children);
  MPI_Finalize();
  return 0;
}
