// SPDX-License-Identifier: MIT
//
// Graphs that every rank passes as a whole, that each passes a part of, and that one rank passes for all.
// ranks: 4
// executions: 1
#include <assert.h>
#include <mpi.h>

// 0-1, 0-3, 2-3
static void whole(int rank) {
  const int ends[4] = {2, 3, 4, 6}, edges[6] = {1, 3, 0, 3, 0, 2};
  int nodes, count, got[2], place, status, index[4], all[6];
  MPI_Comm graph;
  MPI_Graph_create(MPI_COMM_WORLD, 4, ends, edges, 0, &graph);
  MPI_Topo_test(graph, &status);
  assert(status == MPI_GRAPH);
  MPI_Graphdims_get(graph, &nodes, &count);
  assert(nodes == 4 && count == 6);
  MPI_Graph_get(graph, 4, 6, index, all);
  assert(index[3] == 6 && all[5] == 2);
  MPI_Graph_neighbors_count(graph, 3, &count);
  assert(count == 2);
  MPI_Graph_neighbors(graph, 3, 2, got);
  assert(got[0] == 0 && got[1] == 2);
  MPI_Graph_map(MPI_COMM_WORLD, 4, ends, edges, &place);
  assert(place == rank);
  MPI_Comm_free(&graph);
}

// A ring, each edge with the weight of its source.
static void adjacent(int rank) {
  const int left = (rank + 3) % 4, right = (rank + 1) % 4;
  int in, out, weighted, source, source_weight, destination, destination_weight, status;
  MPI_Comm ring;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, &left, 1, &right, &rank, MPI_INFO_NULL, 0, &ring);
  MPI_Topo_test(ring, &status);
  assert(status == MPI_DIST_GRAPH);
  MPI_Dist_graph_neighbors_count(ring, &in, &out, &weighted);
  assert(in == 1 && out == 1 && weighted);
  MPI_Dist_graph_neighbors(ring, 1, &source, &source_weight, 1, &destination, &destination_weight);
  assert(source == left && source_weight == left && destination == right && destination_weight == rank);
  MPI_Comm_free(&ring);
}

// Rank 2 says that everybody sends to rank 0, twice from rank 3.
static void reported(int rank) {
  const int sources[4] = {0, 1, 2, 3}, degrees[4] = {1, 1, 1, 2}, destinations[5] = {0, 0, 0, 0, 0};
  int in, out, weighted, from[5], to[2];
  MPI_Comm star;
  MPI_Dist_graph_create(MPI_COMM_WORLD, rank == 2 ? 4 : 0, sources, degrees, destinations, MPI_UNWEIGHTED,
                        MPI_INFO_NULL, 0, &star);
  MPI_Dist_graph_neighbors_count(star, &in, &out, &weighted);
  assert(in == (rank ? 0 : 5) && out == (rank == 3 ? 2 : 1) && !weighted);
  MPI_Dist_graph_neighbors(star, 5, from, MPI_UNWEIGHTED, 2, to, MPI_UNWEIGHTED);
  if (rank == 0) assert(from[0] == 0 && from[2] == 2 && from[3] == 3 && from[4] == 3);
  assert(to[0] == 0);
  MPI_Comm_free(&star);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  whole(rank);
  adjacent(rank);
  reported(rank);
  MPI_Finalize();
  return 0;
}
