// SPDX-License-Identifier: MIT
//
// Graphs for generated platforms: connected, without loops or double edges.
#pragma once

#include <utility>
#include <vector>

#include "simcore/platform_generator.hpp"
#include "simcore/support/random.hpp"

namespace rehearse::platform {

struct Graph {
  struct Edge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    double length = 1;  // relative to the longest possible edge
  };
  std::uint32_t nodes = 0;
  std::vector<Edge> edges;

  std::vector<std::uint32_t> degrees() const;
};

// Requires options that generate_platform has checked, and a kind other than clusters.
Graph make_graph(const GeneratorOptions& options, SplitMix& random);

}  // namespace rehearse::platform
