// SPDX-License-Identifier: MIT
//
// An info object's duplicate is used after the first was freed.
// check: none
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int n;
  MPI_Info info, copy;
  MPI_Info_create(&info);
  MPI_Info_dup(info, &copy);
  MPI_Info_free(&info);
  MPI_Info_get_nkeys(copy, &n);
  MPI_Info_free(&copy);
  MPI_Finalize();
  return 0;
}
