// SPDX-License-Identifier: MIT
//
// A key is set in an info object.
// check: none
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "colour", "green");
  MPI_Info_free(&info);
  MPI_Finalize();
  return 0;
}
