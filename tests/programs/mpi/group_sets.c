// SPDX-License-Identifier: MIT
//
// Groups as sets, ranges of ranks, and translations between groups.
// ranks: 4
// executions: 1
#include <assert.h>
#include <mpi.h>

static MPI_Group world;

static MPI_Group of(int n, const int* ranks) {
  MPI_Group group;
  MPI_Group_incl(world, n, ranks, &group);
  return group;
}

// Whether the group has just these ranks of the world, in this order; frees it.
static int is(MPI_Group group, int n, const int* ranks) {
  int size, there[4], here[4] = {0, 1, 2, 3}, same = 1;
  MPI_Group_size(group, &size);
  MPI_Group_translate_ranks(group, size, here, world, there);
  for (int i = 0; i < size && i < n; ++i) same &= there[i] == ranks[i];
  if (group != MPI_GROUP_EMPTY) MPI_Group_free(&group);
  return same && size == n;
}
#define RANKS(...) (sizeof(int[]){__VA_ARGS__} / sizeof(int)), (const int[]){__VA_ARGS__}

int main(int argc, char** argv) {
  int ranges[2][3] = {{3, 1, -2}, {0, 0, 1}}, result, rank, mine, outside = 0, there;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group a = of(RANKS(2, 0)), b = of(RANKS(0, 3)), c = of(RANKS(0, 2)), made;
  MPI_Group_union(a, b, &made);
  assert(is(made, RANKS(2, 0, 3)));
  MPI_Group_intersection(a, b, &made);
  assert(is(made, RANKS(0)));
  MPI_Group_difference(a, b, &made);
  assert(is(made, RANKS(2)));
  MPI_Group_difference(a, c, &made);
  assert(made == MPI_GROUP_EMPTY);
  MPI_Group_excl(world, RANKS(1, 2), &made);
  assert(is(made, RANKS(0, 3)));
  MPI_Group_range_incl(world, 2, ranges, &made);
  assert(is(made, RANKS(3, 1, 0)));
  MPI_Group_range_excl(world, 2, ranges, &made);
  assert(is(made, RANKS(2)));
  MPI_Group_compare(a, c, &result);
  assert(result == MPI_SIMILAR);
  MPI_Group_compare(a, b, &result);
  assert(result == MPI_UNEQUAL);
  MPI_Group_compare(a, a, &result);
  assert(result == MPI_IDENT);
  MPI_Group_rank(a, &mine);
  assert(mine == (rank == 2 ? 0 : rank == 0 ? 1 : MPI_UNDEFINED));
  MPI_Group_translate_ranks(b, 1, (const int[]){1}, a, &there);
  assert(there == MPI_UNDEFINED);
  outside = MPI_PROC_NULL;
  MPI_Group_translate_ranks(b, 1, &outside, a, &there);
  assert(there == MPI_PROC_NULL);
  MPI_Group_free(&a);
  MPI_Group_free(&b);
  MPI_Group_free(&c);
  MPI_Group_free(&world);
  MPI_Finalize();
  return 0;
}
