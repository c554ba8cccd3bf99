// SPDX-License-Identifier: MIT
//
// A key is deleted that was never set.
// check: argument.info
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_delete(info, "colour");  // <- here
  MPI_Info_free(&info);
  MPI_Finalize();
  return 0;
}
