// SPDX-License-Identifier: MIT
//
// An attribute is looked for under MPI_KEYVAL_INVALID.
// check: argument.keyval
// ranks: 1
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int key, flag;
  void* value;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_free_keyval(&key);
  MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &flag);  // <- here
  MPI_Finalize();
  return 0;
}
