// SPDX-License-Identifier: MIT
//
// An attribute key that is in use may be freed; the attribute goes with its communicator.
// check: none
// ranks: 1
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int key, value = 5;
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_SELF, &copy);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_set_attr(copy, key, &value);
  MPI_Comm_free_keyval(&key);
  MPI_Comm_free(&copy);
  MPI_Finalize();
  return 0;
}
