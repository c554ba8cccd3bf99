// SPDX-License-Identifier: MIT
//
// Two groups that talk to each other: messages, collectives, a merge, and communicators made from theirs.
// ranks: 5
// executions: 1
#include <assert.h>
#include <mpi.h>

// Ranks 0, 2, 4 against 1, 3.
static void collectives(MPI_Comm inter, int even, int rank) {
  int mine, value = -1, sum = 0, all[3] = {-1, -1, -1}, give[4], pieces[6], counts[3];
  MPI_Comm_rank(inter, &mine);
  MPI_Barrier(inter);
  if (even) value = 42;
  MPI_Bcast(&value, 1, MPI_INT, !even ? 0 : mine == 0 ? MPI_ROOT : MPI_PROC_NULL, inter);
  assert(value == 42);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, inter);
  assert(sum == (even ? 4 : 6));
  sum = -1;
  MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_MAX, even ? 1 : mine == 1 ? MPI_ROOT : MPI_PROC_NULL, inter);
  assert(sum == (!even && mine == 1 ? 4 : -1));
  MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, inter);
  assert(all[0] == (even ? 1 : 0) && all[1] == (even ? 3 : 2) && all[2] == (even ? -1 : 4));
  MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, !even ? 2 : mine == 2 ? MPI_ROOT : MPI_PROC_NULL, inter);
  if (rank == 4) assert(all[0] == 1 && all[1] == 3);
  give[0] = 10, give[1] = 20, give[2] = 30;
  MPI_Scatter(give, 1, MPI_INT, &value, 1, MPI_INT, even ? 0 : mine == 0 ? MPI_ROOT : MPI_PROC_NULL, inter);
  if (even) assert(value == 10 * (mine + 1));
  for (int i = 0; i < 3; ++i) give[i] = 10 * rank + i;
  MPI_Alltoall(give, 1, MPI_INT, all, 1, MPI_INT, inter);
  assert(all[1] == 10 * (even ? 3 : 2) + mine);
  for (int i = 0; i < 6; ++i) pieces[i] = rank + i;
  counts[0] = even ? 1 : 4, counts[1] = 2, counts[2] = 3;
  MPI_Reduce_scatter(pieces, give, counts, MPI_INT, MPI_SUM, inter);
  assert(give[0] == (even ? 4 + 2 * (mine == 0 ? 0 : mine == 1 ? 1 : 3) : 6 + 3 * 4 * mine) || mine == 0);
}

static void messages(MPI_Comm inter, int even) {
  int mine, got = -1, size, flag;
  MPI_Status status;
  MPI_Comm_rank(inter, &mine);
  MPI_Comm_remote_size(inter, &size);
  MPI_Comm_test_inter(inter, &flag);
  assert(flag && size == (even ? 2 : 3));
  if (even && mine == 2) MPI_Send(&mine, 1, MPI_INT, 1, 0, inter);
  if (!even && mine == 1) {
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, inter, &status);
    assert(got == 2 && status.MPI_SOURCE == 2);
  }
}

static void derived(MPI_Comm inter, int even, int rank) {
  int size, place, result;
  MPI_Comm merged, copy, part;
  MPI_Group remote;
  MPI_Intercomm_merge(inter, even, &merged);
  MPI_Comm_size(merged, &size);
  MPI_Comm_rank(merged, &place);
  assert(size == 5 && place == (even ? 2 + rank / 2 : rank / 2));
  MPI_Comm_dup(inter, &copy);
  MPI_Comm_compare(inter, copy, &result);
  assert(result == MPI_CONGRUENT);
  MPI_Comm_compare(inter, merged, &result);
  assert(result == MPI_UNEQUAL);
  MPI_Comm_remote_group(copy, &remote);
  MPI_Group_size(remote, &size);
  assert(size == (even ? 2 : 3));
  MPI_Comm_split(copy, rank == 4, 0, &part);
  assert((part == MPI_COMM_NULL) == (rank == 4));
  if (part != MPI_COMM_NULL) {
    messages(copy, even);
    MPI_Comm_remote_size(part, &size);
    assert(size == 2);
    MPI_Comm_free(&part);
  } else {
    messages(copy, even);
  }
  MPI_Group_free(&remote);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&merged);
}

int main(int argc, char** argv) {
  int rank, even;
  MPI_Comm half, inter;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  even = rank % 2 == 0;
  MPI_Comm_split(MPI_COMM_WORLD, even, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, even ? 1 : 0, 17, &inter);
  messages(inter, even);
  collectives(inter, even, rank);
  derived(inter, even, rank);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
