// SPDX-License-Identifier: MIT
//
// Random and hierarchical graphs: probabilities of edges, connected parts, filters.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>

#include "simcore/platform/generator/filters.hpp"
#include "simcore/platform/generator/flat_graph.hpp"
#include "simcore/platform/generator/hierarchy.hpp"

using namespace rehearse;
using namespace rehearse::platform;
using Kind = GeneratorOptions::Kind;
using Unconnected = GeneratorOptions::Unconnected;

namespace {

template <class T>
T ok(Result<T> result) {
  if (!result) FAIL(result.error().text);
  return std::move(result.value());
}

Graph flat(GeneratorOptions options, std::uint64_t seed) {
  SplitMix random(seed);
  return ok(make_flat_graph(options, options.kind, options.nodes, false, random));
}

GeneratorOptions plain(Kind kind, std::uint32_t nodes, double alpha) {
  GeneratorOptions options;
  options.kind = kind;
  options.nodes = nodes;
  options.alpha = alpha;
  options.unconnected = Unconnected::largest;  // without added edges
  return options;
}

void check_simple(const Graph& graph) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const Graph::Edge& edge : graph.edges) {
    REQUIRE(edge.from != edge.to);
    REQUIRE(edge.from < graph.nodes);
    REQUIRE(edge.to < graph.nodes);
    REQUIRE(pairs.insert({std::min(edge.from, edge.to), std::max(edge.from, edge.to)}).second);
  }
}

// The nodes whose labels begin like this, and the edges between them.
Graph domain(const Graph& graph, const std::string& prefix, std::size_t depth) {
  std::vector<bool> is_kept(graph.nodes);
  for (std::uint32_t node = 0; node < graph.nodes; ++node)
    is_kept[node] = graph.labels[node].starts_with(prefix) &&
                    static_cast<std::size_t>(std::ranges::count(graph.labels[node], '.')) == depth;
  return graph.part(is_kept);
}

}  // namespace

TEST_CASE("uniform graph: each pair is an edge with the same probability", "[simcore][platform]") {
  constexpr double alpha = 0.05;
  const Graph graph = flat(plain(Kind::uniform, 1000, alpha), 5);
  check_simple(graph);
  const double pairs = 1000 * 999 / 2.0;
  // Five standard deviations of a binomial variable.
  CHECK(std::fabs(static_cast<double>(graph.edges.size()) - pairs * alpha) <
        5 * std::sqrt(pairs * alpha * (1 - alpha)));
  double squares = 0;
  for (const std::uint32_t degree : graph.degrees()) squares += (degree - 999 * alpha) * (degree - 999 * alpha);
  CHECK(squares / 1000 == Approx(999 * alpha * (1 - alpha)).epsilon(0.25));
  double length = 0;
  for (const Graph::Edge& edge : graph.edges) length += edge.length;
  // The mean distance of two points in the unit square is 0.5214; the diagonal is 1.4142.
  CHECK(length / static_cast<double>(graph.edges.size()) == Approx(0.5214 / 1.4142).epsilon(0.02));
}

TEST_CASE("waxman and exponential graphs: the probability of an edge falls with the distance", "[simcore][platform]") {
  constexpr double alpha = 0.5;
  const Kind kind = GENERATE(Kind::waxman, Kind::exponential);
  const GeneratorOptions options = plain(kind, 1500, alpha);
  const Graph graph = flat(options, 8);
  check_simple(graph);
  std::map<int, double> pairs, expected, edges;  // by tenths of the diagonal
  for (std::uint32_t a = 0; a < graph.nodes; ++a)
    for (std::uint32_t b = a + 1; b < graph.nodes; ++b) {
      const double d = distance(graph.places[a], graph.places[b]);
      const int bin = static_cast<int>(d * 10);
      pairs[bin] += 1;
      expected[bin] += alpha * (kind == Kind::waxman ? std::exp(-d / options.beta) : std::exp(-d / (1 - d)));
    }
  for (const Graph::Edge& edge : graph.edges) edges[static_cast<int>(edge.length * 10)] += 1;
  for (const auto& [bin, count] : expected) CHECK(std::fabs(edges[bin] - count) < 5 * std::sqrt(count) + 1);
  CHECK(edges[0] / pairs[0] > 3 * edges[6] / pairs[6]);
}

TEST_CASE("unconnected graphs are joined, drawn again, or lose their smaller components", "[simcore][platform]") {
  GeneratorOptions options = plain(Kind::uniform, 60, 0.04);
  const Graph drawn = flat(options, 2);
  REQUIRE_FALSE(drawn.is_connected());
  const Graph largest = drawn.largest_component();
  CHECK(largest.is_connected());
  CHECK(largest.nodes < 60);
  CHECK(largest.nodes > 30);
  options.unconnected = Unconnected::join;
  const Graph joined = flat(options, 2);
  CHECK(joined.is_connected());
  const std::vector<std::uint32_t> parts = drawn.components();
  CHECK(joined.edges.size() == drawn.edges.size() + std::ranges::max(parts));
  options.unconnected = Unconnected::redraw;
  options.tries = 2000;
  options.alpha = 0.05;
  const Graph again = flat(options, 2);
  CHECK(again.is_connected());
  options.alpha = 0.001;
  SplitMix random(1);
  CHECK_THAT(make_flat_graph(options, Kind::uniform, 60, false, random).error().text, Catch::Contains("none of 2000"));
}

TEST_CASE("graphs with more edges than a platform can have are refused", "[simcore][platform]") {
  GeneratorOptions options = plain(Kind::uniform, 4500, 1);
  SplitMix random(1);
  CHECK_THAT(make_flat_graph(options, Kind::uniform, 4500, false, random).error().text,
             Catch::Contains("more than 8000000 edges"));
  options.edges = 1000;
  CHECK_THAT(make_flat_graph(options, Kind::barabasi_albert, 9000, false, random).error().text,
             Catch::Contains("more than 8000000 edges"));
}

TEST_CASE("the degree filter leaves a connected graph of these degrees", "[simcore][platform]") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Graph drawn = flat(plain(Kind::uniform, 200, 0.05), seed);
    const Graph graph = with_degrees(drawn, {4, 11});
    CHECK(graph.nodes > 100);
    CHECK(graph.nodes < 200);
    CHECK(graph.is_connected());
    for (const std::uint32_t degree : graph.degrees()) {
      REQUIRE(degree >= 4);
      REQUIRE(degree <= 11);
    }
    // No more nodes than necessary are removed: the k-core is the largest part without nodes of lower degrees.
    const Graph core = with_degrees(drawn, {4, 1000});
    CHECK(core.nodes >= graph.nodes);
  }
  CHECK(with_degrees(flat(plain(Kind::star, 10, 0.5), 1), {2, 9}).nodes == 0);
}

TEST_CASE("n-level graph: each node is replaced by a connected graph of the next level", "[simcore][platform]") {
  GeneratorOptions options = plain(Kind::n_level, 0, 0.3);
  options.unconnected = GENERATE(Unconnected::join, Unconnected::redraw);
  options.sizes = {3, 4, SizeRange(5, 9)};
  options.inner = {Kind::clique, Kind::waxman, Kind::exponential};
  options.tries = 10'000;
  SplitMix random(4);
  const Graph graph = ok(make_n_level_graph(options, random));
  check_simple(graph);
  CHECK(graph.is_connected());
  std::set<std::uint32_t> sizes;
  for (int a = 0; a < 3; ++a) {
    const Graph middle = domain(graph, std::to_string(a) + ".", 2);
    CHECK(middle.is_connected());
    for (int b = 0; b < 4; ++b) {
      const Graph inner = domain(graph, std::to_string(a) + "." + std::to_string(b) + ".", 2);
      CHECK(inner.nodes >= 5);
      CHECK(inner.nodes <= 9);
      CHECK(inner.is_connected());
      sizes.insert(inner.nodes);
      for (const Graph::Edge& edge : inner.edges) REQUIRE(edge.length <= 0.01);
    }
  }
  CHECK(sizes.size() > 1);
  // A clique of three has three edges: as many lead from one part of the first level to another.
  const auto part = [&](std::uint32_t node) { return graph.labels[node].substr(0, 1); };
  CHECK(std::ranges::count_if(graph.edges, [&](const auto& edge) { return part(edge.from) != part(edge.to); }) == 3);
}

TEST_CASE("transit-stub graph: stub domains hang on transit nodes", "[simcore][platform]") {
  GeneratorOptions options = plain(Kind::transit_stub, 0, 0.5);
  options.unconnected = Unconnected::join;
  options.sizes = {2, 4, 3, 8};
  options.transit_stub_edges = GENERATE(0u, 6u);
  options.stub_stub_edges = options.transit_stub_edges * 2;
  SplitMix random(9);
  const Graph graph = ok(make_transit_stub_graph(options, random));
  check_simple(graph);
  REQUIRE(graph.nodes == 8 + 8 * 3 * 8);
  CHECK(graph.is_connected());
  CHECK(std::ranges::count(graph.is_transit, true) == 8);
  CHECK(graph.part(graph.is_transit).is_connected());
  const auto stub = [&](std::uint32_t node) { return graph.labels[node].substr(0, 5); };  // D.T.S of D.T.S.N
  std::size_t up = 0, more_up = 0, across = 0;
  for (const Graph::Edge& edge : graph.edges) {
    const bool from = graph.is_transit[edge.from], to = graph.is_transit[edge.to];
    if (from != to) {
      const std::uint32_t transit = from ? edge.from : edge.to, other = from ? edge.to : edge.from;
      ++(graph.labels[other].starts_with(graph.labels[transit] + ".") ? up : more_up);
    }
    if (!from && !to && stub(edge.from) != stub(edge.to)) ++across;
  }
  CHECK(up == 24);
  CHECK(more_up == options.transit_stub_edges);
  CHECK(across == options.stub_stub_edges);
  for (int transit = 0; transit < 4; ++transit)
    for (int i = 0; i < 3; ++i)
      CHECK(domain(graph, "1." + std::to_string(transit) + "." + std::to_string(i) + ".", 3).is_connected());
}

TEST_CASE("transit-stub graph: more edges than there is room for are refused", "[simcore][platform]") {
  GeneratorOptions options = plain(Kind::transit_stub, 0, 0.5);
  options.sizes = {1, 1, 1, 2};
  options.transit_stub_edges = 1;
  SplitMix random(1);
  CHECK_THAT(make_transit_stub_graph(options, random).error().text, Catch::Contains("there is room for 0 of them"));
}
