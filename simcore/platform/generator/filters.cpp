// SPDX-License-Identifier: MIT
//
// Removes nodes by degree, one at a time, with the degrees that remain.
#include "simcore/platform/generator/filters.hpp"

#include <set>
#include <utility>

namespace rehearse::platform {

namespace {

class DegreeFilter {
 public:
  explicit DegreeFilter(const Graph& graph) : degrees_(graph.degrees()), is_kept_(graph.nodes, true) {
    neighbours_.resize(graph.nodes);
    for (const Graph::Edge& edge : graph.edges) {
      neighbours_[edge.from].push_back(edge.to);
      neighbours_[edge.to].push_back(edge.from);
    }
    for (std::uint32_t node = 0; node < graph.nodes; ++node) order_.insert(key(node));
  }

  void remove_above(std::uint32_t most) {
    while (!order_.empty() && order_.rbegin()->first > most) remove(node_of(*order_.rbegin()));
  }
  void remove_below(std::uint32_t least) {
    while (!order_.empty() && order_.begin()->first < least) remove(node_of(*order_.begin()));
  }
  const std::vector<bool>& is_kept() const { return is_kept_; }

 private:
  using Key = std::pair<std::uint32_t, std::uint32_t>;  // among equal degrees, the first node is the last one

  Key key(std::uint32_t node) const { return {degrees_[node], ~node}; }
  static std::uint32_t node_of(const Key& key) { return ~key.second; }

  void remove(std::uint32_t node) {
    order_.erase(key(node));
    is_kept_[node] = false;
    for (const std::uint32_t other : neighbours_[node]) {
      if (!is_kept_[other]) continue;
      order_.erase(key(other));
      --degrees_[other];
      order_.insert(key(other));
    }
  }

  std::vector<std::uint32_t> degrees_;
  std::vector<bool> is_kept_;
  std::vector<std::vector<std::uint32_t>> neighbours_;
  std::set<Key> order_;
};

}  // namespace

Graph with_degrees(const Graph& graph, DegreeRange degrees) {
  DegreeFilter filter(graph);
  filter.remove_above(degrees.most);
  filter.remove_below(degrees.least);
  return graph.part(filter.is_kept()).largest_component();
}

}  // namespace rehearse::platform
