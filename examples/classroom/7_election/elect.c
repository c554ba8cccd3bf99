// SPDX-License-Identifier: MIT
//
// An election: the task is in README.md.
#include <mpi.h>

enum { tag_candidate, tag_elected };

// The largest id of all ranks. All ids are different. Each rank sends only to its right neighbour.
int elect(int id, MPI_Comm comm) {
  (void)comm;
  return id;
}
