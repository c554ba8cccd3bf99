// SPDX-License-Identifier: MIT
//
// Draws graphs of graphs level by level.
#include "simcore/platform/generator/hierarchy.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "simcore/platform/generator/flat_graph.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::platform {

namespace {

using Kind = GeneratorOptions::Kind;

constexpr double part_side = 0.1;

// A square in the square of the whole graph.
struct Cell {
  Place origin;
  double side = 1;

  Place at(Place inner) const { return {origin.x + inner.x * side, origin.y + inner.y * side}; }
  // The square of a part at a place of this one. It lies inside.
  Cell part(Place inner) const {
    const double room = side * (1 - part_side);
    return {{origin.x + inner.x * room, origin.y + inner.y * room}, side * part_side};
  }
};

// Nodes of the whole graph that replace, or belong to, one node.
struct Block {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  std::uint32_t any(SplitMix& random) const { return first + static_cast<std::uint32_t>(random.below(count)); }
};

std::uint32_t draw_size(SizeRange size, SplitMix& random) {
  return size.low == size.high ? size.low
                               : size.low + static_cast<std::uint32_t>(random.below(size.high - size.low + 1));
}

Kind inner_kind(const GeneratorOptions& options, std::size_t level) {
  if (options.inner.empty()) return Kind::uniform;
  return options.inner[std::min(level, options.inner.size() - 1)];
}

// The graph under construction.
class Whole {
 public:
  Whole(const GeneratorOptions& options, SplitMix& random) : options_(options), random_(random) {}

  // Draws the graph of a part, and appends its nodes; their cells are squares at their places.
  std::optional<Error> append(std::size_t level, SizeRange size, const Cell& cell, const std::string& label) {
    auto drawn = make_flat_graph(options_, inner_kind(options_, level), draw_size(size, random_), true, random_);
    if (!drawn) return drawn.error();
    const Graph& inner = drawn.value();
    block_ = {graph_.nodes, inner.nodes};
    for (std::uint32_t i = 0; i < inner.nodes; ++i) {
      graph_.places.push_back(cell.at(inner.places[i]));
      graph_.labels.push_back(label.empty() ? std::to_string(i) : fmt::format("{}.{}", label, i));
      cells_.push_back(cell.part(inner.places[i]));
    }
    graph_.nodes += inner.nodes;
    for (const Graph::Edge& edge : inner.edges) join(block_.first + edge.from, block_.first + edge.to);
    if (graph_.edges.size() > edges_max) return too_many_edges();
    return std::nullopt;
  }

  // False: there is such an edge, or it is a loop.
  bool join(std::uint32_t a, std::uint32_t b) {
    if (a == b || !pairs_.insert(std::minmax(a, b)).second) return false;
    graph_.edges.push_back({a, b, distance(graph_.places[a], graph_.places[b])});
    return true;
  }

  Block block() const { return block_; }  // of the part that was appended last
  const Cell& cell(std::uint32_t node) const { return cells_[node]; }
  Graph& graph() { return graph_; }

 private:
  const GeneratorOptions& options_;
  SplitMix& random_;
  Graph graph_;
  std::vector<Cell> cells_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs_;
  Block block_;
};

struct Domains {
  std::vector<Block> transit;     // by transit domain
  std::vector<Block> stubs;       // by stub domain
  std::vector<std::uint32_t> of;  // by stub domain: its transit node
};

std::optional<Error> add_edges(std::uint32_t count, const char* what, const auto& try_one) {
  std::uint64_t tries = 1000 + 100 * std::uint64_t{count};
  for (std::uint32_t added = 0; added < count; --tries) {
    if (tries == 0)
      return Error{fmt::format("{} more edges {} given; there is room for {} of them", count, what, added)};
    if (try_one()) ++added;
  }
  return std::nullopt;
}

std::optional<Error> add_more_edges(Whole& whole, const Domains& domains, const GeneratorOptions& options,
                                    SplitMix& random) {
  const Block transit{0, domains.transit.back().first + domains.transit.back().count};
  const auto mistake = add_edges(options.transit_stub_edges, "between transit nodes and stub domains", [&] {
    const std::uint32_t node = transit.any(random);
    const std::uint64_t stub = random.below(domains.stubs.size());
    return domains.of[stub] != node && whole.join(node, domains.stubs[stub].any(random));
  });
  if (mistake) return mistake;
  return add_edges(options.stub_stub_edges, "between stub domains", [&] {
    const std::uint64_t a = random.below(domains.stubs.size()), b = random.below(domains.stubs.size());
    return a != b && whole.join(domains.stubs[a].any(random), domains.stubs[b].any(random));
  });
}

}  // namespace

Result<Graph> make_n_level_graph(const GeneratorOptions& options, SplitMix& random) {
  auto above = std::make_unique<Whole>(options, random);
  if (const auto mistake = above->append(0, options.sizes[0], {}, "")) return *mistake;
  for (std::size_t level = 1; level < options.sizes.size(); ++level) {
    auto next = std::make_unique<Whole>(options, random);
    std::vector<Block> blocks;
    for (std::uint32_t node = 0; node < above->graph().nodes; ++node) {
      const std::string label = above->graph().label(node);
      if (const auto mistake = next->append(level, options.sizes[level], above->cell(node), label)) return *mistake;
      blocks.push_back(next->block());
    }
    for (const Graph::Edge& edge : above->graph().edges) {
      const std::uint32_t from = blocks[edge.from].any(random);
      next->join(from, blocks[edge.to].any(random));
    }
    above = std::move(next);
  }
  return std::move(above->graph());
}

Result<Graph> make_transit_stub_graph(const GeneratorOptions& options, SplitMix& random) {
  Whole top(options, random);
  if (const auto mistake = top.append(0, options.sizes[0], {}, "")) return *mistake;
  Whole whole(options, random);
  Domains domains;
  for (std::uint32_t domain = 0; domain < top.graph().nodes; ++domain) {
    if (const auto mistake = whole.append(1, options.sizes[1], top.cell(domain), std::to_string(domain)))
      return *mistake;
    domains.transit.push_back(whole.block());
  }
  for (const Graph::Edge& edge : top.graph().edges) {
    const std::uint32_t from = domains.transit[edge.from].any(random);
    whole.join(from, domains.transit[edge.to].any(random));
  }
  const std::uint32_t transit_nodes = whole.graph().nodes;
  for (std::uint32_t node = 0; node < transit_nodes; ++node) {
    const std::uint32_t stubs = draw_size(options.sizes[2], random);
    for (std::uint32_t stub = 0; stub < stubs; ++stub) {
      const std::string label = fmt::format("{}.{}", whole.graph().label(node), stub);
      const Cell cell = whole.cell(node);
      if (const auto mistake = whole.append(2, options.sizes[3], cell, label)) return *mistake;
      domains.stubs.push_back(whole.block());
      domains.of.push_back(node);
      whole.join(node, whole.block().any(random));
    }
  }
  if (const auto mistake = add_more_edges(whole, domains, options, random)) return *mistake;
  whole.graph().is_transit.assign(whole.graph().nodes, false);
  for (std::uint32_t node = 0; node < transit_nodes; ++node) whole.graph().is_transit[node] = true;
  return std::move(whole.graph());
}

}  // namespace rehearse::platform
