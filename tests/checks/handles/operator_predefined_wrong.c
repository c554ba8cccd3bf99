// SPDX-License-Identifier: MIT
//
// A predefined operator is freed.
// check: argument.operator
// ranks: 1
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int mine = 1, sum;
  MPI_Op sum_of = MPI_SUM;
  MPI_Op_free(&sum_of);  // <- here
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, sum_of, MPI_COMM_SELF);
  MPI_Finalize();
  return 0;
}
