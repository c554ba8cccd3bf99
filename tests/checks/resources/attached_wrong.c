// SPDX-License-Identifier: MIT
//
// The buffer for buffered sends is never detached.
// check: none
// warns: resource.attached_buffer
// ranks: 1
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int number = 1, length = MPI_BSEND_OVERHEAD + sizeof(int);
  void* room = malloc(length);
  MPI_Buffer_attach(room, length);  // <- here
  MPI_Bsend(&number, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
