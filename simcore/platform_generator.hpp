// SPDX-License-Identifier: MIT
//
// Generates platforms: random and regular graphs whose nodes become hosts, clusters and routers, written as a platform
// file.
//
// Shape:   the kind of graph determines nodes and edges. Promoters decide for each node whether it becomes a host, a
//          cluster or a router. Nested clusters have a size for each level instead.
// Seeds:   equal options give equal bytes on every machine.
// Errors:  the given value and the accepted values, without place.
// Source:  Waxman, IEEE JSAC 6(9), 1988; Barabasi, Albert, Science 286, 1999; the idea of promoters:
//          Quinson, Bobelin, Suter, "Synthesizing generic experimental environments for simulation",
//          3PGCIC 2010.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "simcore/support/result.hpp"

namespace rehearse {

struct RealRange {  // uniform distribution
  double low = 0;
  double high = 0;
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

struct GeneratorOptions {
  enum class Kind : std::uint8_t { star, clique, waxman, barabasi_albert, clusters };
  Kind kind = Kind::star;
  std::uint32_t nodes = 16;
  std::uint64_t seed = 1;
  double alpha = 0.4;                     // waxman: probability of an edge at distance 0
  double beta = 0.2;                      // waxman: scale of the decrease with distance
  std::uint32_t edges = 2;                // barabasi_albert: of each new node
  std::vector<std::uint32_t> sizes = {};  // clusters: of each level, hosts last
  std::vector<Promoter> promoters = {};   // none: every node becomes a host
  RealRange speed = {1e9, 1e9};           // flop/s
  RealRange cores = {1, 1};
  RealRange bandwidth = {125e6, 125e6};  // bytes/s
  RealRange latency = {50e-6, 50e-6};    // seconds; waxman: the high end, over the whole square
  RealRange cluster_hosts = {16, 16};    // of nodes that become clusters
};

// `star`, ... `barabasi-albert`; empty if there is none of that name.
Result<GeneratorOptions::Kind> parse_generator_kind(const std::string& name);

// ROLE:DEGREES:PROBABILITY such as host:1-2:0.5, cluster:3-:1; DEGREES are N, N-M or N-.
Result<Promoter> parse_promoter(const std::string& text);

// One quantity, or two with .. between them: 1Gf..4Gf. Units of platform files.
Result<RealRange> parse_speed_range(const std::string& text);
Result<RealRange> parse_bandwidth_range(const std::string& text);
Result<RealRange> parse_seconds_range(const std::string& text);
Result<RealRange> parse_count_range(const std::string& text);

// The text of a platform file.
Result<std::string> generate_platform(const GeneratorOptions& options);

}  // namespace rehearse
