// SPDX-License-Identifier: MIT
//
// Every neighbourhood collective in each of its forms, on a ring with directions.
// ranks: 3
// executions: 1
#include <assert.h>
#include <mpi.h>
#include <string.h>

enum { size = 3 };

static int rank;
static MPI_Comm ring;  // each sends to the next and the one after that
static int mine[4], got[4], wanted[4];
static const int one[2] = {1, 1}, here[2] = {0, 1}, there[2] = {1, 0};
static const MPI_Count one_c[2] = {1, 1};
static const MPI_Aint here_c[2] = {0, 1}, there_c[2] = {1, 0}, here_bytes[2] = {0, 4}, there_bytes[2] = {4, 0};
static MPI_Datatype types[2];

static void begin(void) {
  for (int i = 0; i < 4; ++i) {
    mine[i] = 10 * rank + i;
    got[i] = -1;
  }
}

static void check(void) {
  assert(memcmp(got, wanted, sizeof got) == 0);
}

static void want(int first, int second) {
  wanted[0] = first, wanted[1] = second, wanted[2] = wanted[3] = -1;
}

#define ONCE(call)               \
  {                              \
    begin();                     \
    call;                        \
    check();                     \
  }
#define WAITED(call)             \
  {                              \
    MPI_Request request;         \
    begin();                     \
    call;                        \
    MPI_Wait(&request, MPI_STATUS_IGNORE); \
    check();                     \
  }
#define STARTED(call)            \
  {                              \
    MPI_Request request;         \
    call;                        \
    begin();                     \
    MPI_Start(&request);         \
    MPI_Wait(&request, MPI_STATUS_IGNORE); \
    check();                     \
    MPI_Request_free(&request);  \
  }
#define IN(...) __VA_ARGS__
#define FORMS(x, args, args_c)                                     \
  ONCE(MPI_Neighbor_##x(args, ring))                               \
  ONCE(MPI_Neighbor_##x##_c(args_c, ring))                         \
  WAITED(MPI_Ineighbor_##x(args, ring, &request))                  \
  WAITED(MPI_Ineighbor_##x##_c(args_c, ring, &request))            \
  STARTED(MPI_Neighbor_##x##_init(args, ring, MPI_INFO_NULL, &request)) \
  STARTED(MPI_Neighbor_##x##_init_c(args_c, ring, MPI_INFO_NULL, &request))

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  types[0] = types[1] = MPI_INT;
  const int before[2] = {(rank + 2) % size, (rank + 1) % size}, after[2] = {(rank + 1) % size, (rank + 2) % size};
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, before, MPI_UNWEIGHTED, 2, after, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &ring);
  const int first = 10 * before[0], second = 10 * before[1];
  want(first, second);
  FORMS(allgather, IN(mine, 1, MPI_INT, got, 1, MPI_INT), IN(mine, 1, MPI_INT, got, 1, MPI_INT))
  want(second, first);
  FORMS(allgatherv, IN(mine, 1, MPI_INT, got, one, there, MPI_INT), IN(mine, 1, MPI_INT, got, one_c, there_c, MPI_INT))
  want(first, second + 1);
  FORMS(alltoall, IN(mine, 1, MPI_INT, got, 1, MPI_INT), IN(mine, 1, MPI_INT, got, 1, MPI_INT))
  want(second + 1, first);
  FORMS(alltoallv, IN(mine, one, here, MPI_INT, got, one, there, MPI_INT),
        IN(mine, one_c, here_c, MPI_INT, got, one_c, there_c, MPI_INT))
  FORMS(alltoallw, IN(mine, one, here_bytes, types, got, one, there_bytes, types),
        IN(mine, one_c, here_bytes, types, got, one_c, there_bytes, types))
  MPI_Comm_free(&ring);
  MPI_Finalize();
  return 0;
}
