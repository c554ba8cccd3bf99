// SPDX-License-Identifier: MIT
//
// An info object is used after it was freed.
// check: argument.info
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int n;
  MPI_Info info, copy;
  MPI_Info_create(&info);
  copy = info;
  MPI_Info_free(&info);
  MPI_Info_get_nkeys(copy, &n);  // <- here
  MPI_Finalize();
  return 0;
}
