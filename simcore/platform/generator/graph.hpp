// SPDX-License-Identifier: MIT
//
// Graphs for generated platforms: without loops or double edges.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rehearse::platform {

struct Place {  // in a square with sides 0..1
  double x = 0, y = 0;
};

// Relative to the diagonal of the square.
double distance(Place a, Place b);

struct Graph {
  struct Edge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    double length = 1;  // relative to the longest possible edge
  };
  std::uint32_t nodes = 0;
  std::vector<Edge> edges;
  std::vector<Place> places;        // empty: lengths have no meaning
  std::vector<std::string> labels;  // by node: numbers of its parts, with dots between them; empty: its number
  std::vector<bool> is_transit;     // empty: none is

  std::vector<std::uint32_t> degrees() const;
  std::string label(std::uint32_t node) const { return labels.empty() ? std::to_string(node) : labels[node]; }

  // The number of its component, for each node; they are numbered by their first nodes.
  std::vector<std::uint32_t> components() const;
  bool is_connected() const;
  // The graph of some nodes and the edges between them. Labels stay as they are.
  Graph part(const std::vector<bool>& is_kept) const;
  // The largest component; of several ones, that with the first node.
  Graph largest_component() const;
};

}  // namespace rehearse::platform
