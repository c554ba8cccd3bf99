// SPDX-License-Identifier: MIT
//
// Stars, cliques, and the graphs of Waxman and of Barabasi and Albert.
#include "simcore/platform/generator/graph.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace rehearse::platform {

namespace {

struct Place {
  double x, y;
};

double distance(Place a, Place b) { return std::hypot(a.x - b.x, a.y - b.y) / std::numbers::sqrt2; }

std::uint32_t root_of(std::vector<std::uint32_t>& parents, std::uint32_t node) {
  while (parents[node] != node) node = parents[node] = parents[parents[node]];
  return node;
}

// Connects the component of the first node with its nearest neighbour outside, until the graph is connected.
void connect(Graph& graph, const std::vector<Place>& places) {
  std::vector<std::uint32_t> parents(graph.nodes);
  std::iota(parents.begin(), parents.end(), 0u);
  for (const Graph::Edge& edge : graph.edges) parents[root_of(parents, edge.from)] = root_of(parents, edge.to);
  // For each node outside, the distance to the component and the nearest node in it (Prim).
  std::vector<double> nearest(graph.nodes, std::numeric_limits<double>::infinity());
  std::vector<std::uint32_t> neighbour(graph.nodes, 0);
  std::vector<bool> is_inside(graph.nodes, false);
  const auto take_in = [&](std::uint32_t node) {
    const std::uint32_t part = root_of(parents, node);
    for (std::uint32_t i = 0; i < graph.nodes; ++i) {
      if (is_inside[i] || root_of(parents, i) != part) continue;
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

Graph make_waxman(const GeneratorOptions& options, SplitMix& random) {
  Graph graph{options.nodes, {}};
  std::vector<Place> places;
  for (std::uint32_t i = 0; i < options.nodes; ++i) {
    const double x = random.uniform();
    places.push_back({x, random.uniform()});
  }
  for (std::uint32_t a = 0; a < options.nodes; ++a)
    for (std::uint32_t b = a + 1; b < options.nodes; ++b) {
      const double d = distance(places[a], places[b]);
      if (random.uniform() < options.alpha * std::exp(-d / options.beta)) graph.edges.push_back({a, b, d});
    }
  connect(graph, places);
  return graph;
}

// Connects each new node to random others, with a probability proportional to their degree.
Graph make_barabasi_albert(const GeneratorOptions& options, SplitMix& random) {
  Graph graph{options.nodes, {}};
  std::vector<std::uint32_t> ends;  // each node once for each of its edges
  const std::uint32_t first = std::min(options.edges + 1, options.nodes);
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    graph.edges.push_back({a, b});
    ends.insert(ends.end(), {a, b});
  };
  for (std::uint32_t a = 0; a < first; ++a)
    for (std::uint32_t b = a + 1; b < first; ++b) join(a, b);
  for (std::uint32_t node = first; node < options.nodes; ++node) {
    std::vector<std::uint32_t> chosen;
    while (chosen.size() < options.edges) {
      const std::uint32_t other = ends[random.below(ends.size())];
      if (std::find(chosen.begin(), chosen.end(), other) == chosen.end()) chosen.push_back(other);
    }
    for (const std::uint32_t other : chosen) join(other, node);
  }
  return graph;
}

}  // namespace

std::vector<std::uint32_t> Graph::degrees() const {
  std::vector<std::uint32_t> counts(nodes, 0);
  for (const Edge& edge : edges) {
    ++counts[edge.from];
    ++counts[edge.to];
  }
  return counts;
}

Graph make_graph(const GeneratorOptions& options, SplitMix& random) {
  using Kind = GeneratorOptions::Kind;
  if (options.kind == Kind::waxman) return make_waxman(options, random);
  if (options.kind == Kind::barabasi_albert) return make_barabasi_albert(options, random);
  Graph graph{options.nodes, {}};
  for (std::uint32_t a = 0; a < options.nodes; ++a)
    for (std::uint32_t b = a + 1; b < options.nodes; ++b) {
      if (options.kind == Kind::star && a > 0) return graph;
      graph.edges.push_back({a, b});
    }
  return graph;
}

}  // namespace rehearse::platform
