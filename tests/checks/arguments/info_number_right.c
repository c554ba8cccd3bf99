// SPDX-License-Identifier: MIT
//
// The first of one key is asked for.
// check: none
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  char key[MPI_MAX_INFO_KEY + 1];
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "colour", "green");
  MPI_Info_get_nthkey(info, 0, key);
  MPI_Info_free(&info);
  MPI_Finalize();
  return 0;
}
