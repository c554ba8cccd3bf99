// SPDX-License-Identifier: MIT
//
// An attribute key of datatypes is never freed.
// check: none
// warns: resource.keyval
// ranks: 1
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int key;
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &key, NULL);  // <- here
  (void)key;
  MPI_Finalize();
  return 0;
}
