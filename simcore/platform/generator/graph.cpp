// SPDX-License-Identifier: MIT
//
// Degrees, components and parts of graphs.
#include "simcore/platform/generator/graph.hpp"

#include <algorithm>
#include <numbers>
#include <numeric>

#include "simcore/support/portable_math.hpp"

namespace rehearse::platform {

double distance(Place a, Place b) { return portable_length(a.x - b.x, a.y - b.y) / std::numbers::sqrt2; }

std::vector<std::uint32_t> Graph::degrees() const {
  std::vector<std::uint32_t> counts(nodes, 0);
  for (const Edge& edge : edges) {
    ++counts[edge.from];
    ++counts[edge.to];
  }
  return counts;
}

std::vector<std::uint32_t> Graph::components() const {
  std::vector<std::uint32_t> parents(nodes);
  std::iota(parents.begin(), parents.end(), 0u);
  const auto root = [&](std::uint32_t node) {
    while (parents[node] != node) node = parents[node] = parents[parents[node]];
    return node;
  };
  for (const Edge& edge : edges) {
    const auto [low, high] = std::minmax({root(edge.from), root(edge.to)});
    parents[high] = low;
  }
  std::vector<std::uint32_t> numbers(nodes);
  std::uint32_t count = 0;
  for (std::uint32_t node = 0; node < nodes; ++node) numbers[node] = root(node) == node ? count++ : numbers[root(node)];
  return numbers;
}

bool Graph::is_connected() const {
  const std::vector<std::uint32_t> numbers = components();
  return std::all_of(numbers.begin(), numbers.end(), [](std::uint32_t number) { return number == 0; });
}

Graph Graph::part(const std::vector<bool>& is_kept) const {
  Graph kept;
  std::vector<std::uint32_t> numbers(nodes);
  for (std::uint32_t node = 0; node < nodes; ++node) {
    numbers[node] = kept.nodes;
    if (!is_kept[node]) continue;
    ++kept.nodes;
    kept.labels.push_back(label(node));
    if (!places.empty()) kept.places.push_back(places[node]);
    if (!is_transit.empty()) kept.is_transit.push_back(is_transit[node]);
  }
  for (const Edge& edge : edges)
    if (is_kept[edge.from] && is_kept[edge.to])
      kept.edges.push_back({numbers[edge.from], numbers[edge.to], edge.length});
  return kept;
}

Graph Graph::largest_component() const {
  const std::vector<std::uint32_t> numbers = components();
  std::vector<std::uint32_t> sizes;
  for (const std::uint32_t number : numbers) {
    if (number == sizes.size()) sizes.push_back(0);
    ++sizes[number];
  }
  if (sizes.size() <= 1) return *this;
  const auto largest = static_cast<std::uint32_t>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
  std::vector<bool> is_kept(nodes);
  for (std::uint32_t node = 0; node < nodes; ++node) is_kept[node] = numbers[node] == largest;
  return part(is_kept);
}

}  // namespace rehearse::platform
