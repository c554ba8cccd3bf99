// SPDX-License-Identifier: MIT
//
// Graphs to which every process contributes a part.
//
// Method: MPI_Dist_graph_create sends each edge to its two ends. The edges of a process are in the order of the ranks
//         that passed them, then in the order of the calls' lists.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "simcore/support/format.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/error.hpp"
#include "smpi/info/info.hpp"
#include "smpi/topology/make_topology.hpp"
#include "smpi/topology/neighbour_agreement.hpp"

namespace rehearse::smpi {
namespace {

struct Edge {
  int source = 0;
  int destination = 0;
  int weight = 0;
};

// The edges on one side of a process.
struct SideArguments {
  const char* degree_name;
  int degree;
  const int* ranks;
  const int* weights;
};

void check_info(Arguments& check, MPI_Info info) {
  check.require(find_hints(info) != nullptr, MPI_ERR_INFO, "the info object was freed or never existed");
}

void check_rank(Arguments& check, int rank) {
  if (check.failed()) return;
  check.require(0 <= rank && rank < check.communicator()->size(), MPI_ERR_RANK, [&] {
    return fmt::format("the graph names rank {} of a communicator of {} processes", rank, check.communicator()->size());
  });
}

void check_weight(Arguments& check, int weight) {
  check.require(weight >= 0, MPI_ERR_ARG, [&] { return fmt::format("an edge has weight {}", weight); });
}

// Checks one side and copies it.
void take_side(Arguments& check, const SideArguments& side, std::vector<int>& ranks, std::vector<int>& weights) {
  check.count(side.degree, side.degree_name);
  if (side.degree > 0) check.pointer(side.ranks, "the list of neighbours");
  const bool weighted = side.weights != MPI_UNWEIGHTED && side.degree > 0;
  if (weighted) check.pointer(side.weights, "the list of weights");
  for (int i = 0; i < side.degree && !check.failed(); ++i) {
    check_rank(check, side.ranks[i]);
    ranks.push_back(side.ranks[i]);
    if (!weighted) continue;
    check_weight(check, side.weights[i]);
    weights.push_back(side.weights[i]);
  }
}

struct EdgesArguments {
  int sources;
  const int* source_list;
  const int* degrees;
  const int* destinations;
  const int* weights;
};

std::vector<Edge> checked_edges(Arguments& check, const EdgesArguments& arguments) {
  std::vector<Edge> edges;
  check.count(arguments.sources, "n");
  if (arguments.sources > 0) check.pointer(arguments.source_list, "sources").pointer(arguments.degrees, "degrees");
  const bool weighted = arguments.weights != MPI_UNWEIGHTED;
  int at = 0;
  for (int i = 0; i < arguments.sources && !check.failed(); ++i) {
    check_rank(check, arguments.source_list[i]);
    check.count(arguments.degrees[i], fmt::format("degrees[{}]", i));
    for (int k = 0; !check.failed() && k < arguments.degrees[i]; ++k, ++at) {
      check.pointer(arguments.destinations, "destinations").pointer(arguments.weights, "weights");
      if (check.failed()) break;
      check_rank(check, arguments.destinations[at]);
      if (weighted) check_weight(check, arguments.weights[at]);
      edges.push_back({arguments.source_list[i], arguments.destinations[at], weighted ? arguments.weights[at] : 0});
    }
  }
  return edges;
}

void add_edges(std::span<const std::byte> bytes, int rank, bool weighted, DistributedGraph& graph) {
  std::vector<Edge> edges(bytes.size() / sizeof(Edge));
  if (!edges.empty()) std::memcpy(edges.data(), bytes.data(), edges.size() * sizeof(Edge));
  for (const Edge& edge : edges) {
    if (edge.source == rank) {
      graph.destinations.push_back(edge.destination);
      if (weighted) graph.destination_weights.push_back(edge.weight);
    }
    if (edge.destination == rank) {
      graph.sources.push_back(edge.source);
      if (weighted) graph.source_weights.push_back(edge.weight);
    }
  }
}

// Sends each edge to its ends and collects those of the caller.
int exchange_edges(const CommunicatorRef& parent, const std::vector<Edge>& edges, DistributedGraph& graph) {
  std::vector<std::vector<Edge>> by_rank(static_cast<std::size_t>(parent->size()));
  for (const Edge& edge : edges) {
    by_rank[static_cast<std::size_t>(edge.source)].push_back(edge);
    if (edge.destination != edge.source) by_rank[static_cast<std::size_t>(edge.destination)].push_back(edge);
  }
  std::vector<Edge> all;
  std::vector<std::uint64_t> segments;
  for (const std::vector<Edge>& part : by_rank) {
    all.insert(all.end(), part.begin(), part.end());
    segments.push_back(part.size() * sizeof(Edge));
  }
  Contribution contribution;
  contribution.data = std::as_bytes(std::span(all));
  contribution.segments = segments;
  contribution.signature = graph.weighted ? 2 : 1;
  return run_collective(parent, {"MPI_Dist_graph_create"}, contribution, {[&](Contributions from) {
                          for (const auto& part : from) add_edges(part, parent->rank(), graph.weighted, graph);
                          return Trouble{};
                        }});
}

// Copies as many neighbours as fit into the arrays.
void give_side(const std::vector<int>& ranks, const std::vector<int>& weights, int room, int* ranks_out,
               int* weights_out) {
  const std::size_t count = std::min(ranks.size(), static_cast<std::size_t>(std::max(room, 0)));
  std::copy_n(ranks.begin(), count, ranks_out);
  if (weights_out == MPI_UNWEIGHTED || weights.empty()) return;
  std::copy_n(weights.begin(), count, weights_out);
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Dist_graph_create_adjacent(MPI_Comm comm_old, int indegree, const int sources[], const int sourceweights[],
                               int outdegree, const int destinations[], const int destweights[], MPI_Info info, int,
                               MPI_Comm* comm_dist_graph) {
  Arguments check = intracommunicator_arguments(comm_old);
  check.pointer(comm_dist_graph, "comm_dist_graph");
  check_info(check, info);
  DistributedGraph graph;
  take_side(check, {"indegree", indegree, sources, sourceweights}, graph.sources, graph.source_weights);
  take_side(check, {"outdegree", outdegree, destinations, destweights}, graph.destinations, graph.destination_weights);
  check.require((sourceweights == MPI_UNWEIGHTED) == (destweights == MPI_UNWEIGHTED), MPI_ERR_ARG,
                "only one side of the graph is MPI_UNWEIGHTED");
  if (check.failed()) return check.error();
  graph.weighted = sourceweights != MPI_UNWEIGHTED;
  const std::string origin = "graph of " + check.communicator()->description();
  const std::vector<int> remark = neighbours_remark(graph);
  const TopologyCall call{"MPI_Dist_graph_create_adjacent", graph.weighted ? 2ULL : 1ULL, origin, remark,
                          compare_neighbours};
  return make_with_topology(check, call, check.communicator()->size(), graph, comm_dist_graph);
}

int Dist_graph_create(MPI_Comm comm_old, int n, const int sources[], const int degrees[], const int destinations[],
                      const int weights[], MPI_Info info, int, MPI_Comm* comm_dist_graph) {
  Arguments check = intracommunicator_arguments(comm_old);
  check.pointer(comm_dist_graph, "comm_dist_graph");
  check_info(check, info);
  const std::vector<Edge> edges = checked_edges(check, {n, sources, degrees, destinations, weights});
  if (check.failed()) return check.error();
  DistributedGraph graph;
  graph.weighted = weights != MPI_UNWEIGHTED;
  const int error = exchange_edges(check.communicator(), edges, graph);
  if (error != MPI_SUCCESS) return error;
  const std::string origin = "graph of " + check.communicator()->description();
  return make_with_topology(check, {"MPI_Dist_graph_create", 0, origin}, check.communicator()->size(), graph,
                            comm_dist_graph);
}

int Dist_graph_neighbors_count(MPI_Comm comm, int* indegree, int* outdegree, int* weighted) {
  Arguments check(comm);
  check.pointer(indegree, "indegree").pointer(outdegree, "outdegree").pointer(weighted, "weighted");
  const DistributedGraph* graph = checked_topology<DistributedGraph>(check);
  if (check.failed()) return check.error();
  *indegree = static_cast<int>(graph->sources.size());
  *outdegree = static_cast<int>(graph->destinations.size());
  *weighted = graph->weighted ? 1 : 0;
  return MPI_SUCCESS;
}

int Dist_graph_neighbors(MPI_Comm comm, int maxindegree, int sources[], int sourceweights[], int maxoutdegree,
                         int destinations[], int destweights[]) {
  Arguments check(comm);
  const DistributedGraph* graph = checked_topology<DistributedGraph>(check);
  if (check.failed()) return check.error();
  give_side(graph->sources, graph->source_weights, maxindegree, sources, sourceweights);
  give_side(graph->destinations, graph->destination_weights, maxoutdegree, destinations, destweights);
  return MPI_SUCCESS;
}

}  // namespace rehearse::smpi::calls
