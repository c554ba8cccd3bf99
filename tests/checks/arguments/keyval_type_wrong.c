// SPDX-License-Identifier: MIT
//
// An attribute key of datatypes is used for a communicator.
// check: argument.keyval
// ranks: 1
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int key;
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, &key);  // <- here
  MPI_Type_free_keyval(&key);
  MPI_Finalize();
  return 0;
}
