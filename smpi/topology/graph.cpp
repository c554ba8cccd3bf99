// SPDX-License-Identifier: MIT
//
// Graphs that every process passes as a whole.
#include <algorithm>
#include <string>

#include "simcore/support/format.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/topology/make_topology.hpp"

namespace rehearse::smpi {
namespace {

struct GraphArguments {
  int nodes;
  const int* ends;
  const int* edges;
};

// The graph, which fits into the communicator if the check has not failed.
Graph checked_graph(Arguments& check, const GraphArguments& arguments) {
  const auto& [nodes, ends, edges] = arguments;
  check.require(nodes >= 0, MPI_ERR_ARG, [&] { return fmt::format("nnodes is {}", nodes); });
  if (check.failed()) return {};
  check.require(nodes <= check.communicator()->size(), MPI_ERR_ARG, [&] {
    return fmt::format("the graph has {} nodes, but the communicator only {} processes", nodes,
                       check.communicator()->size());
  });
  if (nodes == 0) return {};
  check.pointer(ends, "index");
  int before = 0;
  for (int i = 0; i < nodes && !check.failed(); before = ends[i], ++i)
    check.require(ends[i] >= before, MPI_ERR_ARG,
                  [&] { return fmt::format("index[{}] is {}, less than the one before it", i, ends[i]); });
  if (check.failed()) return {};
  const int count = ends[nodes - 1];
  if (count > 0) check.pointer(edges, "edges");
  for (int i = 0; i < count && !check.failed(); ++i)
    check.require(0 <= edges[i] && edges[i] < nodes, MPI_ERR_RANK,
                  [&] { return fmt::format("edges[{}] is {}, which is not a node of the graph", i, edges[i]); });
  if (check.failed()) return {};
  return {{ends, ends + nodes}, {edges, edges + count}};
}

const Graph* checked_node(Arguments& check, int rank) {
  const Graph* graph = checked_topology<Graph>(check);
  if (graph != nullptr)
    check.require(0 <= rank && rank < static_cast<int>(graph->ends.size()), MPI_ERR_RANK,
                  [&] { return fmt::format("rank {} is not a node of the graph", rank); });
  return check.failed() ? nullptr : graph;
}

void copy_first(std::span<const int> from, int room, int* to) {
  const std::size_t count = std::min(from.size(), static_cast<std::size_t>(std::max(room, 0)));
  std::copy_n(from.begin(), count, to);
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Graph_create(MPI_Comm comm_old, int nnodes, const int indx[], const int edges[], int, MPI_Comm* comm_graph) {
  Arguments check = intracommunicator_arguments(comm_old);
  check.pointer(comm_graph, "comm_graph");
  const Graph graph = checked_graph(check, {nnodes, indx, edges});
  if (check.failed()) return check.error();
  std::uint64_t signature = signature_of_numbers(1, graph.ends.data(), nnodes);
  signature = signature_of_numbers(signature, graph.edges.data(), static_cast<int>(graph.edges.size()));
  const std::string origin = "graph of " + check.communicator()->description();
  return make_with_topology(check, {"MPI_Graph_create", signature, origin}, nnodes, graph, comm_graph);
}

int Graph_map(MPI_Comm comm, int nnodes, const int indx[], const int edges[], int* newrank) {
  Arguments check(comm);
  check.pointer(newrank, "newrank");
  checked_graph(check, {nnodes, indx, edges});
  if (check.failed()) return check.error();
  const int rank = check.communicator()->rank();
  *newrank = rank < nnodes ? rank : MPI_UNDEFINED;
  return MPI_SUCCESS;
}

int Graphdims_get(MPI_Comm comm, int* nnodes, int* nedges) {
  Arguments check(comm);
  check.pointer(nnodes, "nnodes").pointer(nedges, "nedges");
  const Graph* graph = checked_topology<Graph>(check);
  if (check.failed()) return check.error();
  *nnodes = static_cast<int>(graph->ends.size());
  *nedges = static_cast<int>(graph->edges.size());
  return MPI_SUCCESS;
}

int Graph_get(MPI_Comm comm, int maxindex, int maxedges, int indx[], int edges[]) {
  Arguments check(comm);
  const Graph* graph = checked_topology<Graph>(check);
  if (check.failed()) return check.error();
  copy_first(graph->ends, maxindex, indx);
  copy_first(graph->edges, maxedges, edges);
  return MPI_SUCCESS;
}

int Graph_neighbors_count(MPI_Comm comm, int rank, int* nneighbors) {
  Arguments check(comm);
  check.pointer(nneighbors, "nneighbors");
  const Graph* graph = checked_node(check, rank);
  if (graph != nullptr) *nneighbors = static_cast<int>(graph->neighbours_of(rank).size());
  return check.error();
}

int Graph_neighbors(MPI_Comm comm, int rank, int maxneighbors, int neighbors[]) {
  Arguments check(comm);
  const Graph* graph = checked_node(check, rank);
  if (graph != nullptr) copy_first(graph->neighbours_of(rank), maxneighbors, neighbors);
  return check.error();
}

}  // namespace rehearse::smpi::calls
