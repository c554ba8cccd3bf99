// SPDX-License-Identifier: MIT
//
// An election: the task is in README.md.
#include <mpi.h>

enum { tag_candidate, tag_elected };

// The largest id of all ranks; ids are all different. Each rank sends to its right neighbour only.
int elect(int id, MPI_Comm comm) {
  (void)comm;
  return id;
}
