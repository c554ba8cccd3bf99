// SPDX-License-Identifier: MIT
//
// Every collective in each of its forms: blocking, nonblocking and persistent, with int and with large counts.
// ranks: 3
// executions: 1
#include <assert.h>
#include <mpi.h>
#include <string.h>

#define WORLD MPI_COMM_WORLD
enum { size = 3 };

static int rank, root = -1;  // of the broadcast, which has its data where others have their results
static int mine[4 * size], got[4 * size], wanted[4 * size];
static const int one[size] = {1, 1, 1}, places[size] = {2, 1, 0}, growing[size] = {1, 2, 3}, starts[size] = {0, 1, 3};
static const MPI_Count one_c[size] = {1, 1, 1}, growing_c[size] = {1, 2, 3};
static const MPI_Aint places_c[size] = {2, 1, 0}, starts_c[size] = {0, 1, 3};
static const int byte_places[size] = {8, 4, 0};
static const MPI_Aint byte_places_c[size] = {8, 4, 0};
static MPI_Datatype types[size];

static void begin(void) {
  for (int i = 0; i < 4 * size; ++i) {
    mine[i] = 100 * rank + i;
    got[i] = -1;
  }
  if (rank == root) got[0] = 7;
}

static void check(void) {
  assert(memcmp(got, wanted, sizeof got) == 0);
}

// Only what `code` says is wanted; everything else stays untouched.
#define WANT(...)                                      \
  {                                                    \
    for (int w = 0; w < 4 * size; ++w) wanted[w] = -1; \
    __VA_ARGS__;                                       \
  }

#define ONCE(call)                                          \
  {                                                         \
    begin();                                                \
    call;                                                   \
    check();                                                \
  }
#define WAITED(call)                                        \
  {                                                         \
    MPI_Request request;                                    \
    begin();                                                \
    call;                                                   \
    MPI_Wait(&request, MPI_STATUS_IGNORE);                  \
    check();                                                \
  }
#define STARTED(call)                                       \
  {                                                         \
    MPI_Request request;                                    \
    call;                                                   \
    for (int time = 0; time < 2; ++time) {                  \
      begin();                                              \
      MPI_Start(&request);                                  \
      MPI_Wait(&request, MPI_STATUS_IGNORE);                \
      check();                                              \
    }                                                       \
    MPI_Request_free(&request);                             \
  }
#define IN(...) __VA_ARGS__
#define FORMS(X, IX, args, args_c)                          \
  ONCE(MPI_##X(args, WORLD))                                \
  ONCE(MPI_##X##_c(args_c, WORLD))                          \
  WAITED(MPI_##IX(args, WORLD, &request))                   \
  WAITED(MPI_##IX##_c(args_c, WORLD, &request))             \
  STARTED(MPI_##X##_init(args, WORLD, MPI_INFO_NULL, &request)) \
  STARTED(MPI_##X##_init_c(args_c, WORLD, MPI_INFO_NULL, &request))
#define SAME(X, IX, ...) FORMS(X, IX, IN(__VA_ARGS__), IN(__VA_ARGS__))

static void to_all(void) {
  WANT(for (int i = 0; i < 2 * size; ++i) wanted[i] = 100 * (i / 2) + i % 2)
  SAME(Allgather, Iallgather, mine, 2, MPI_INT, got, 2, MPI_INT)
  WANT(for (int i = 0; i < size; ++i) wanted[i] = 100 * (size - 1 - i))
  FORMS(Allgatherv, Iallgatherv, IN(mine, 1, MPI_INT, got, one, places, MPI_INT),
        IN(mine, 1, MPI_INT, got, one_c, places_c, MPI_INT))
  WANT(for (int i = 0; i < 2 * size; ++i) wanted[i] = 100 * (i / 2) + 2 * rank + i % 2)
  SAME(Alltoall, Ialltoall, mine, 2, MPI_INT, got, 2, MPI_INT)
  WANT(for (int i = 0; i < size; ++i) wanted[size - 1 - i] = 100 * i + rank)
  FORMS(Alltoallv, Ialltoallv, IN(mine, one, (const int[]){0, 1, 2}, MPI_INT, got, one, places, MPI_INT),
        IN(mine, one_c, (const MPI_Aint[]){0, 1, 2}, MPI_INT, got, one_c, places_c, MPI_INT))
  FORMS(Alltoallw, Ialltoallw, IN(mine, one, (const int[]){0, 4, 8}, types, got, one, byte_places, types),
        IN(mine, one_c, (const MPI_Aint[]){0, 4, 8}, types, got, one_c, byte_places_c, types))
}

static void reductions(void) {
  WANT(wanted[0] = 300; wanted[1] = 303)
  SAME(Allreduce, Iallreduce, mine, got, 2, MPI_INT, MPI_SUM)
  WANT(if (rank == 1) wanted[0] = 200)
  SAME(Reduce, Ireduce, mine, got, 1, MPI_INT, MPI_MAX, 1)
  WANT(wanted[0] = 50 * rank * (rank + 1))
  SAME(Scan, Iscan, mine, got, 1, MPI_INT, MPI_SUM)
  WANT(if (rank > 0) wanted[0] = 50 * rank * (rank - 1))
  SAME(Exscan, Iexscan, mine, got, 1, MPI_INT, MPI_SUM)
  WANT(for (int i = 0; i < 2; ++i) wanted[i] = 300 + 3 * (2 * rank + i))
  SAME(Reduce_scatter_block, Ireduce_scatter_block, mine, got, 2, MPI_INT, MPI_SUM)
  WANT(for (int i = 0; i < growing[rank]; ++i) wanted[i] = 300 + 3 * (starts[rank] + i))
  FORMS(Reduce_scatter, Ireduce_scatter, IN(mine, got, growing, MPI_INT, MPI_SUM),
        IN(mine, got, growing_c, MPI_INT, MPI_SUM))
  WANT(for (int i = 0; i < 3; ++i) wanted[i] = 100 * rank + i - 1)
  ONCE(MPI_Reduce_local(mine, got, 3, MPI_INT, MPI_SUM))
  ONCE(MPI_Reduce_local_c(mine, got, 3, MPI_INT, MPI_SUM))
}

static void rooted(void) {
  WANT(if (rank == 2) for (int i = 0; i < size; ++i) wanted[i] = 100 * i)
  SAME(Gather, Igather, mine, 1, MPI_INT, got, 1, MPI_INT, 2)
  WANT(if (rank == 0) for (int i = 0; i < 6; ++i) wanted[i] = i == 0 ? 0 : i < 3 ? 99 + i : 197 + i)
  FORMS(Gatherv, Igatherv, IN(mine, growing[rank], MPI_INT, got, growing, starts, MPI_INT, 0),
        IN(mine, growing[rank], MPI_INT, got, growing_c, starts_c, MPI_INT, 0))
  WANT(wanted[0] = 100 + rank)
  SAME(Scatter, Iscatter, mine, 1, MPI_INT, got, 1, MPI_INT, 1)
  WANT(for (int i = 0; i < growing[rank]; ++i) wanted[i] = 100 + starts[rank] + i)
  FORMS(Scatterv, Iscatterv, IN(mine, growing, starts, MPI_INT, got, growing[rank], MPI_INT, 1),
        IN(mine, growing_c, starts_c, MPI_INT, got, growing[rank], MPI_INT, 1))
  WANT()
  ONCE(MPI_Barrier(WORLD))
  WAITED(MPI_Ibarrier(WORLD, &request))
  STARTED(MPI_Barrier_init(WORLD, MPI_INFO_NULL, &request))
  root = 2;
  WANT(wanted[0] = 7)
  SAME(Bcast, Ibcast, got, 1, MPI_INT, root)
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(WORLD, &rank);
  for (int i = 0; i < size; ++i) types[i] = MPI_INT;
  to_all();
  reductions();
  rooted();
  MPI_Finalize();
  return 0;
}
