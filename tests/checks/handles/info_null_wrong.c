// SPDX-License-Identifier: MIT
//
// A key is set in MPI_INFO_NULL.
// check: argument.info
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_set(info, "colour", "green");  // <- here
  MPI_Info_free(&info);
  MPI_Finalize();
  return 0;
}
