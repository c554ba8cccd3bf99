// SPDX-License-Identifier: MIT
//
// Two lines make info objects that are freed in one.
// check: none
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Info infos[2];
  MPI_Info_create(&infos[0]);
  MPI_Info_create(&infos[1]);
  for (int i = 0; i < 2; ++i) MPI_Info_free(&infos[i]);
  MPI_Finalize();
  return 0;
}
