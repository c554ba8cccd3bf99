// SPDX-License-Identifier: MIT
//
// The ranks name the processes of the group in different orders.
// check: collective.group
// says: rank 0 names the group of the ranks 0 and 1, and rank 1, a member of that group, names the group of the ranks 1
// and 0
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Group world, group;
  MPI_Comm made;
  int members[2] = {rank, 1 - rank};
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 2, members, &group);
  MPI_Comm_create(MPI_COMM_WORLD, group, &made);  // <- here
  MPI_Comm_free(&made);
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  MPI_Finalize();
  return 0;
}
