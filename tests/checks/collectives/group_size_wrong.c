// SPDX-License-Identifier: MIT
//
// Rank 0 makes a group of two, of which rank 1 makes a group of three.
// check: collective.group
// says: rank 1, a member of that group, names the group of the ranks 0, 1 and 2
// ranks: 3
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Group world, group;
  MPI_Comm made;
  int members[3] = {rank < 2 ? 0 : 2, 1, 2};
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, rank == 2 ? 1 : rank + 2, members, &group);
  MPI_Comm_create(MPI_COMM_WORLD, group, &made);  // <- here
  if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  MPI_Finalize();
  return 0;
}
