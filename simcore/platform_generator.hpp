// SPDX-License-Identifier: MIT
//
// Generates platforms: random, regular and hierarchical graphs whose nodes become hosts, clusters and routers, written
// as a platform file.
//
// Kinds:   star, clique; uniform, waxman and exponential, whose nodes lie in the unit square: two nodes at distance d
//          (L: its greatest value, the diagonal) are joined with probability alpha, alpha exp(-d / (beta L)) and
//          alpha exp(-d / (L - d)); barabasi-albert. n-level: each node of a graph is replaced by a graph of the next
//          level. transit-stub: domains of transit nodes, and at each transit node domains of stub nodes. clusters:
//          nested clusters.
// Shape:   the kind of graph determines nodes and edges, filters remove some of them. Promoters decide for each node
//          whether it becomes a host, a cluster or a router; transit nodes are always routers.
// Seeds:   equal options give equal bytes on every machine.
// Errors:  the given value and the accepted values, without place.
// Source:  Waxman, IEEE JSAC 6(9), 1988; Barabasi, Albert, Science 286, 1999; uniform (there: pure random),
//          exponential, n-level and transit-stub: Zegura, Calvert, Bhattacharjee, "How to model an internetwork",
//          INFOCOM 1996; the idea of promoters: Quinson, Bobelin, Suter, "Synthesizing generic experimental
//          environments for simulation", 3PGCIC 2010.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "simcore/attribute_distribution.hpp"
#include "simcore/support/result.hpp"

namespace rehearse {

struct DegreeRange {
  std::uint32_t least = 0;
  std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
};

// Gives a role to the nodes whose degree is in the range, with this probability. The next promoters handle the other
// nodes. The remaining nodes become routers.
struct Promoter {
  enum class Role : std::uint8_t { host, cluster, router };
  Role role = Role::host;
  std::uint32_t degree_min = 0;
  std::uint32_t degree_max = std::numeric_limits<std::uint32_t>::max();
  double probability = 1;
};

// The number of parts of a level; if the ends differ, drawn for each whole of the level above.
struct SizeRange {
  std::uint32_t low = 1;
  std::uint32_t high = 1;
  SizeRange(std::uint32_t size) : low(size), high(size) {}
  SizeRange(std::uint32_t from, std::uint32_t to) : low(from), high(to) {}
};

struct GeneratorOptions {
  enum class Kind : std::uint8_t {
    star,
    clique,
    uniform,
    waxman,
    exponential,
    barabasi_albert,
    n_level,
    transit_stub,
    clusters
  };
  // What happens to a random graph that is not connected. join: its components are joined by edges between nearest
  // nodes. largest: the nodes of the largest component remain. redraw: another one is drawn.
  enum class Unconnected : std::uint8_t { join, largest, redraw };

  Kind kind = Kind::star;
  std::uint32_t nodes = 16;  // of kinds without sizes
  std::uint64_t seed = 1;
  double alpha = 0.4;       // uniform, waxman, exponential: probability of an edge at distance 0
  double beta = 0.2;        // waxman: scale of the decrease with distance
  std::uint32_t edges = 2;  // barabasi_albert: of each new node
  // clusters, n_level: of each level, hosts or nodes last. transit_stub: transit domains, their nodes, stub domains of
  // each transit node, their nodes.
  std::vector<SizeRange> sizes = {};
  // n_level: the kind of graph of each level. transit_stub: of transit domains, their nodes, nodes of stub domains.
  // Fewer: the last one also for the rest; none: uniform.
  std::vector<Kind> inner = {};
  std::uint32_t transit_stub_edges = 0;  // transit_stub: more edges between transit nodes and stub domains of others
  std::uint32_t stub_stub_edges = 0;     // transit_stub: more edges between nodes of different stub domains
  Unconnected unconnected = Unconnected::join;
  std::uint32_t tries = 100;  // redraw: of each graph
  // Nodes of greater degrees are removed, the greatest first, then those of lower ones, until none is left; then the
  // nodes of the largest component remain.
  std::optional<DegreeRange> degrees = {};
  std::vector<Promoter> promoters = {};      // none: every node becomes a host, but for transit nodes
  AttributeDistribution speed = {1e9, 1e9};  // flop/s
  AttributeDistribution cores = {1, 1};
  AttributeDistribution bandwidth = {125e6, 125e6};  // bytes/s
  // Seconds. Where nodes lie in a square, the high end of a value or LOW..HIGH is the latency over its diagonal.
  AttributeDistribution latency = {50e-6, 50e-6};
  AttributeDistribution cluster_hosts = {16, 16};  // of nodes that become clusters
};

// `star`, ... `barabasi-albert`; empty if there is none of that name.
Result<GeneratorOptions::Kind> parse_generator_kind(const std::string& name);
// The same, of graphs that can be parts of others.
Result<GeneratorOptions::Kind> parse_inner_kind(const std::string& name);

// ROLE:DEGREES:PROBABILITY such as host:1-2:0.5, cluster:3-:1; DEGREES are N, N-M or N-.
Result<Promoter> parse_promoter(const std::string& text);
Result<DegreeRange> parse_degrees(const std::string& text);

// Numbers or ranges with x between them: 2x4x16, 2x3..5x8.
Result<std::vector<SizeRange>> parse_sizes(const std::string& text);

// The text of a platform file.
Result<std::string> generate_platform(const GeneratorOptions& options);

}  // namespace rehearse
