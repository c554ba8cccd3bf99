// SPDX-License-Identifier: MIT
//
// Neighbourhood collectives, blocking, nonblocking and persistent: on an open line, on a ring of two where both
// neighbours are one rank, and on a graph with a double edge.
// ranks: 2
// executions: 1
#include <assert.h>
#include <mpi.h>

static void line(int rank) {
  const int size = 2, open = 0;
  int got[2] = {-1, -1}, counts[2] = {1, 1}, places[2] = {1, 0};
  MPI_Comm grid;
  MPI_Request request;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &open, 0, &grid);
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, got, 1, MPI_INT, grid);
  assert(got[rank == 0 ? 1 : 0] == 1 - rank && got[rank == 0 ? 0 : 1] == -1);
  got[0] = got[1] = -1;
  MPI_Ineighbor_allgatherv(&rank, 1, MPI_INT, got, counts, places, MPI_INT, grid, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  assert(got[rank == 0 ? 0 : 1] == 1 - rank && got[rank == 0 ? 1 : 0] == -1);
  MPI_Comm_free(&grid);
}

static void ring(int rank) {
  const int size = 2, closed = 1, counts[2] = {1, 1}, places[2] = {1, 0};
  const MPI_Aint offsets[2] = {0, sizeof(int)};
  const MPI_Datatype types[2] = {MPI_INT, MPI_INT};
  int give[2] = {10 * rank, 10 * rank + 1}, got[2];
  MPI_Comm grid;
  MPI_Request request;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &closed, 0, &grid);
  MPI_Neighbor_alltoall(give, 1, MPI_INT, got, 1, MPI_INT, grid);
  // What leaves in the negative direction arrives from the positive one.
  assert(got[0] == 10 * (1 - rank) + 1 && got[1] == 10 * (1 - rank));
  MPI_Neighbor_alltoallv(give, counts, places, MPI_INT, got, counts, places, MPI_INT, grid);
  assert(got[1] == 10 * (1 - rank) && got[0] == 10 * (1 - rank) + 1);
  MPI_Neighbor_alltoallw_init(give, counts, offsets, types, got, counts, offsets, types, grid, MPI_INFO_NULL, &request);
  for (int i = 0; i < 3; ++i) {
    give[0] += 100;
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    assert(got[0] == 10 * (1 - rank) + 1 && got[1] == 10 * (1 - rank) + 100 * (i + 1));
  }
  MPI_Request_free(&request);
  MPI_Comm_free(&grid);
}

static void twice(int rank) {
  const int other[2] = {1 - rank, 1 - rank};
  int give[2] = {10 * rank, 10 * rank + 1}, got[2];
  MPI_Comm graph;
  MPI_Request requests[2];
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, other, MPI_UNWEIGHTED, 2, other, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &graph);
  MPI_Ineighbor_alltoall(give, 1, MPI_INT, got, 1, MPI_INT, graph, &requests[0]);
  MPI_Ibarrier(graph, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  assert(got[0] == 10 * (1 - rank) && got[1] == 10 * (1 - rank) + 1);
  MPI_Comm_free(&graph);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  line(rank);
  ring(rank);
  twice(rank);
  MPI_Finalize();
  return 0;
}
