// SPDX-License-Identifier: MIT
//
// The program passes a structure of two doubles as two long integers.
// check: none
// warns: buffer.type
// says: buffer is passed as MPI_LONG, but the variable point (struct point) has double there (member re)
#include <mpi.h>

struct point {
  double re, im;
};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  struct point point = {1, 2};
  MPI_Bcast(&point, 2, MPI_LONG, 0, MPI_COMM_WORLD);  // <- here
  MPI_Finalize();
  return 0;
}
