// SPDX-License-Identifier: MIT
//
// What MPI_INFO_ENV and MPI_Info_create_env know, and strings that do not fit.
// ranks: 2
// executions: 1
#include <assert.h>
#include <mpi.h>
#include <string.h>

int main(int argc, char** argv) {
  char value[MPI_MAX_INFO_VAL], key[MPI_MAX_INFO_KEY];
  int flag, length = sizeof value, keys;
  MPI_Info info;
  char* words[] = {"program", "-x", "1", 0};
  MPI_Info_create_env(3, words, &info);  // before MPI_Init
  MPI_Info_get_string(info, "argv", &length, value, &flag);
  assert(flag && strcmp(value, "-x 1") == 0 && length == 5);
  MPI_Info_free(&info);
  MPI_Init(&argc, &argv);
  length = sizeof value;
  MPI_Info_get_string(MPI_INFO_ENV, "maxprocs", &length, value, &flag);
  assert(flag && strcmp(value, "2") == 0);
  length = 3;
  MPI_Info_get_string(MPI_INFO_ENV, "arch", &length, value, &flag);
  assert(flag && strcmp(value, "x8") == 0 && length == 7);
  MPI_Info_get_nkeys(MPI_INFO_ENV, &keys);
  assert(keys == 3);
  MPI_Info_get_nthkey(MPI_INFO_ENV, 0, key);
  assert(strcmp(key, "maxprocs") == 0);
  MPI_Info_dup(MPI_INFO_ENV, &info);
  MPI_Info_delete(info, "arch");
  MPI_Info_get_nkeys(info, &keys);
  assert(keys == 2);
  MPI_Info_free(&info);
  MPI_Finalize();
  return 0;
}
