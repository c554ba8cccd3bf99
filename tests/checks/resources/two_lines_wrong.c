// SPDX-License-Identifier: MIT
//
// Two lines make info objects that are never freed.
// check: none
// warns: resource.info
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Info infos[2];
  MPI_Info_create(&infos[0]);  // <- here
  MPI_Info_create(&infos[1]);  // <- here
  MPI_Finalize();
  return 0;
}
