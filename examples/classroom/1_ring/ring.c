// SPDX-License-Identifier: MIT
//
// A sum that goes around: the task is in README.md.
#include <mpi.h>

// The sum of the numbers of all ranks. Each rank calls this with its own number.
int ring_sum(int mine, MPI_Comm comm) {
  (void)comm;
  return mine;
}
