// SPDX-License-Identifier: MIT
//
// Stars, cliques, random graphs in a square, and the graphs of Barabasi and Albert.
#include "simcore/platform/generator/flat_graph.hpp"

#include <algorithm>
#include <limits>

#include "simcore/support/format.hpp"
#include "simcore/support/portable_math.hpp"

namespace rehearse::platform {

namespace {

using Kind = GeneratorOptions::Kind;
using Unconnected = GeneratorOptions::Unconnected;

// Joins the component of the first node with its nearest neighbour outside, until the graph is connected.
void connect(Graph& graph) {
  const std::vector<Place>& places = graph.places;
  const std::vector<std::uint32_t> parts = graph.components();
  // For each node outside, the distance to the component and the nearest node in it (Prim).
  std::vector<double> nearest(graph.nodes, std::numeric_limits<double>::infinity());
  std::vector<std::uint32_t> neighbour(graph.nodes, 0);
  std::vector<bool> is_inside(graph.nodes, false);
  const auto take_in = [&](std::uint32_t node) {
    for (std::uint32_t i = 0; i < graph.nodes; ++i) {
      if (is_inside[i] || parts[i] != parts[node]) continue;
      is_inside[i] = true;
      for (std::uint32_t j = 0; j < graph.nodes; ++j)
        if (!is_inside[j] && distance(places[i], places[j]) < nearest[j]) {
          nearest[j] = distance(places[i], places[j]);
          neighbour[j] = i;
        }
    }
  };
  take_in(0);
  while (true) {
    std::uint32_t next = graph.nodes;
    for (std::uint32_t i = 0; i < graph.nodes; ++i)
      if (!is_inside[i] && (next == graph.nodes || nearest[i] < nearest[next])) next = i;
    if (next == graph.nodes) return;
    graph.edges.push_back({neighbour[next], next, nearest[next]});
    take_in(next);
  }
}

std::vector<Place> draw_places(std::uint32_t nodes, SplitMix& random) {
  std::vector<Place> places;
  places.reserve(nodes);
  for (std::uint32_t i = 0; i < nodes; ++i) {
    const double x = random.uniform();
    places.push_back({x, random.uniform()});
  }
  return places;
}

// The probability of an edge between nodes at this distance, relative to the diagonal.
double edge_probability(const GeneratorOptions& options, Kind kind, double distance) {
  if (kind == Kind::uniform) return options.alpha;
  if (kind == Kind::waxman) return options.alpha * portable_exp(-distance / options.beta);
  return distance < 1 ? options.alpha * portable_exp(-distance / (1 - distance)) : 0;
}

Graph draw_in_square(const GeneratorOptions& options, Kind kind, std::uint32_t nodes, SplitMix& random) {
  Graph graph;
  graph.nodes = nodes;
  graph.places = draw_places(nodes, random);
  for (std::uint32_t a = 0; a < nodes; ++a)
    for (std::uint32_t b = a + 1; b < nodes; ++b) {
      const double d = distance(graph.places[a], graph.places[b]);
      if (random.uniform() < edge_probability(options, kind, d)) graph.edges.push_back({a, b, d});
      if (graph.edges.size() > edges_max) return graph;
    }
  return graph;
}

// Joins each new node with random others, with a probability proportional to their degree.
void draw_by_degree(Graph& graph, std::uint32_t edges, SplitMix& random) {
  std::vector<std::uint32_t> ends;  // each node once for each of its edges
  const std::uint32_t first = std::min(edges + 1, graph.nodes);
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    graph.edges.push_back({a, b});
    ends.insert(ends.end(), {a, b});
  };
  for (std::uint32_t a = 0; a < first; ++a)
    for (std::uint32_t b = a + 1; b < first; ++b) join(a, b);
  for (std::uint32_t node = first; node < graph.nodes; ++node) {
    std::vector<std::uint32_t> chosen;
    while (chosen.size() < edges) {
      const std::uint32_t other = ends[random.below(ends.size())];
      if (std::find(chosen.begin(), chosen.end(), other) == chosen.end()) chosen.push_back(other);
    }
    for (const std::uint32_t other : chosen) join(other, node);
  }
}

void add_regular_edges(Graph& graph, Kind kind) {
  for (std::uint32_t a = 0; a < graph.nodes; ++a)
    for (std::uint32_t b = a + 1; b < graph.nodes; ++b) {
      if (kind == Kind::star && a > 0) return;
      graph.edges.push_back({a, b});
    }
}

}  // namespace

bool is_flat(Kind kind) { return kind < Kind::n_level; }

bool has_places(Kind kind) { return kind == Kind::uniform || kind == Kind::waxman || kind == Kind::exponential; }

std::uint32_t nodes_max(Kind kind) { return kind == Kind::clique ? 2'000 : has_places(kind) ? 10'000 : 100'000; }

Error too_many_edges() {
  return {fmt::format("more than {} edges; accepted: fewer nodes, or fewer edges of each", edges_max)};
}

Result<Graph> make_flat_graph(const GeneratorOptions& options, Kind kind, std::uint32_t nodes, bool needs_places,
                              SplitMix& random) {
  const Error too_many = too_many_edges();
  if (!has_places(kind)) {
    if (kind == Kind::barabasi_albert && std::uint64_t{nodes} * options.edges > edges_max) return too_many;
    Graph graph;
    graph.nodes = nodes;
    if (needs_places) graph.places = draw_places(nodes, random);
    if (kind == Kind::barabasi_albert) draw_by_degree(graph, options.edges, random);
    else add_regular_edges(graph, kind);
    return graph;
  }
  for (std::uint32_t i = 0; i < options.tries; ++i) {
    Graph graph = draw_in_square(options, kind, nodes, random);
    if (graph.edges.size() > edges_max) return too_many;
    if (options.unconnected == Unconnected::join) connect(graph);
    if (options.unconnected != Unconnected::redraw || graph.is_connected()) return graph;
  }
  return Error{
      fmt::format("none of {} drawn graphs of {} nodes is connected; accepted: a greater alpha, more tries, or "
                  "another treatment of unconnected graphs (join, largest)",
                  options.tries, nodes)};
}

}  // namespace rehearse::platform
