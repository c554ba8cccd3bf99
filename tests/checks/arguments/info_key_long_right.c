// SPDX-License-Identifier: MIT
//
// The key of an info object has the maximum length.
// check: none
// ranks: 1
#include <mpi.h>
#include <string.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  char key[MPI_MAX_INFO_KEY + 10];
  memset(key, 'k', sizeof key);
  key[MPI_MAX_INFO_KEY - 1] = 0;
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, key, "value");
  MPI_Info_free(&info);
  MPI_Finalize();
  return 0;
}
