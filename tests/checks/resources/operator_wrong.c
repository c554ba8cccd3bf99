// SPDX-License-Identifier: MIT
//
// A user's operator is never freed.
// check: none
// warns: resource.operator
// ranks: 1
#include <mpi.h>

static void keep(void* in, void* inout, int* n, MPI_Datatype* type) {
  (void)in, (void)inout, (void)n, (void)type;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int mine = 1, last;
  MPI_Op first;
  MPI_Op_create(keep, 0, &first);  // <- here
  MPI_Allreduce(&mine, &last, 1, MPI_INT, first, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
