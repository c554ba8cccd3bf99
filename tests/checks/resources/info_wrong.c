// SPDX-License-Identifier: MIT
//
// An info object's duplicate is never freed.
// check: none
// warns: resource.info
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Info info, copy;
  MPI_Info_create(&info);
  MPI_Info_dup(info, &copy);  // <- here
  MPI_Info_free(&info);
  MPI_Finalize();
  return 0;
}
