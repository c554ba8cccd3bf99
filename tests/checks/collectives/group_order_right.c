// SPDX-License-Identifier: MIT
//
// Both ranks name the group in the same order.
// check: none
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Group world, group;
  MPI_Comm made;
  int members[2] = {1, 0};
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 2, members, &group);
  MPI_Comm_create(MPI_COMM_WORLD, group, &made);
  MPI_Comm_free(&made);
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  MPI_Finalize();
  return 0;
}
