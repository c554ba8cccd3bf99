// SPDX-License-Identifier: MIT
//
// Communicators from splits, duplicates and groups; messages stay in theirs.
// ranks: 4
// executions: 1
#include <assert.h>
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, half_rank, sum, in_world = -1, in_copy = -1;
  MPI_Comm half, copy, ends, none;
  MPI_Group all, two;
  const int ranks[2] = {3, 0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  MPI_Comm_rank(half, &half_rank);
  assert(half_rank == (rank < 2 ? 1 : 0));
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, half);
  assert(sum == (rank % 2 ? 4 : 2));
  MPI_Comm_dup(half, &copy);
  if (half_rank == 0) {
    MPI_Send(&rank, 1, MPI_INT, 1, 0, half);
    MPI_Send(&half_rank, 1, MPI_INT, 1, 0, copy);
  } else {
    MPI_Recv(&in_copy, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, copy, MPI_STATUS_IGNORE);
    MPI_Recv(&in_world, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, half, MPI_STATUS_IGNORE);
    assert(in_copy == 0 && in_world == rank + 2);
  }
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 2, ranks, &two);
  MPI_Comm_create(MPI_COMM_WORLD, two, &ends);
  assert((ends == MPI_COMM_NULL) == (rank == 1 || rank == 2));
  if (ends != MPI_COMM_NULL) {
    int place;
    MPI_Comm_rank(ends, &place);
    assert(place == (rank == 3 ? 0 : 1));
    MPI_Comm_free(&ends);
  }
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? 1 : MPI_UNDEFINED, 0, &none);
  assert((none == MPI_COMM_NULL) == (rank != 0));
  if (rank == 0) MPI_Comm_free(&none);
  MPI_Group_free(&two);
  MPI_Group_free(&all);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
