// SPDX-License-Identifier: MIT
//
// The first of no keys is asked for.
// check: argument.value
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  char key[MPI_MAX_INFO_KEY + 1];
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_get_nthkey(info, 0, key);  // <- here
  MPI_Info_free(&info);
  MPI_Finalize();
  return 0;
}
