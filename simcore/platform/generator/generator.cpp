// SPDX-License-Identifier: MIT
//
// Turns the nodes of a graph into hosts, clusters or routers, and writes a platform file.
//
// Shape: without clusters, one zone with a route for each edge. With clusters, each node is a zone with one gateway,
//        because the format connects zones only with zones.
#include "simcore/platform_generator.hpp"

#include <algorithm>

#include "simcore/platform/generator/filters.hpp"
#include "simcore/platform/generator/flat_graph.hpp"
#include "simcore/platform/generator/hierarchy.hpp"
#include "simcore/platform/generator/nested_clusters.hpp"
#include "simcore/platform/generator/option_faults.hpp"
#include "simcore/platform/generator/writer.hpp"
#include "simcore/support/format.hpp"

namespace rehearse {

namespace {

using platform::GeneratedText;
using platform::Graph;
using Kind = GeneratorOptions::Kind;
using Role = Promoter::Role;

constexpr std::uint32_t floyd_nodes_max = 200;

Role promote(const std::vector<Promoter>& promoters, std::uint32_t degree, SplitMix& random) {
  if (promoters.empty()) return Role::host;
  for (const Promoter& promoter : promoters) {
    if (degree < promoter.degree_min || degree > promoter.degree_max) continue;
    if (random.uniform() < promoter.probability) return promoter.role;
  }
  return Role::router;
}

Result<Graph> draw_graph(const GeneratorOptions& options, SplitMix& random) {
  if (options.kind == Kind::n_level) return platform::make_n_level_graph(options, random);
  if (options.kind == Kind::transit_stub) return platform::make_transit_stub_graph(options, random);
  return platform::make_flat_graph(options, options.kind, options.nodes, false, random);
}

Result<Graph> draw_filtered_graph(const GeneratorOptions& options, SplitMix& random) {
  auto drawn = draw_graph(options, random);
  if (!drawn) return drawn;
  Graph graph = std::move(drawn.value());
  if (options.unconnected == GeneratorOptions::Unconnected::largest) graph = graph.largest_component();
  if (!options.degrees) return graph;
  graph = platform::with_degrees(graph, *options.degrees);
  if (graph.nodes > 0) return graph;
  return Error{"no node of the graph remains with these degrees; other degrees, edges or seeds would leave some"};
}

class GraphPlatform {
 public:
  GraphPlatform(const GeneratorOptions& options, const Graph& graph, SplitMix& random)
      : options_(options), graph_(graph), random_(random), text_(options, random) {}

  Result<std::string> write() {
    draw_roles();
    if (std::all_of(roles_.begin(), roles_.end(), [](Role role) { return role == Role::router; }))
      return Error{fmt::format(
          "none of the {} nodes became a host or cluster; other degrees, probabilities or seeds would give some",
          graph_.nodes)};
    text_.open(std::string("<zone id=\"world\" routing=\"") +
               (graph_.nodes <= floyd_nodes_max ? "Floyd" : "DijkstraCache") + "\">");
    for (std::uint32_t node = 0; node < graph_.nodes; ++node) {
      if (has_zones_) write_node_zone(node);
      else write_node(node);
    }
    write_edges();
    text_.close("zone");
    if (text_.mistake()) return *text_.mistake();
    return text_.take();
  }

 private:
  void draw_roles() {
    const std::vector<std::uint32_t> degrees = graph_.degrees();
    for (std::uint32_t node = 0; node < graph_.nodes; ++node) {
      const bool is_transit = !graph_.is_transit.empty() && graph_.is_transit[node];
      roles_.push_back(is_transit ? Role::router : promote(options_.promoters, degrees[node], random_));
      has_zones_ = has_zones_ || roles_.back() == Role::cluster;
    }
  }

  std::string node_name(std::uint32_t node) const { return "node-" + graph_.label(node); }
  std::string zone_name(std::uint32_t node) const {
    return roles_[node] == Role::cluster ? node_name(node) : "zone-" + graph_.label(node);
  }
  std::string gateway(std::uint32_t node) const {
    return node_name(node) + (roles_[node] == Role::cluster ? "_router" : "");
  }

  void write_node(std::uint32_t node) {
    if (roles_[node] == Role::host) text_.host(node_name(node));
    else text_.router(node_name(node));
  }

  void write_node_zone(std::uint32_t node) {
    if (roles_[node] == Role::cluster) return text_.cluster(node_name(node), text_.draw_cluster_hosts());
    text_.open("<zone id=\"" + zone_name(node) + "\" routing=\"Full\">");
    write_node(node);
    text_.close("zone");
  }

  void write_edges() {
    const auto name = [&](const Graph::Edge& edge) {
      return fmt::format("link-{}-{}", graph_.label(edge.from), graph_.label(edge.to));
    };
    for (const Graph::Edge& edge : graph_.edges)
      text_.link(name(edge), graph_.places.empty() ? std::nullopt : std::optional(edge.length));
    for (const Graph::Edge& edge : graph_.edges) {
      if (has_zones_)
        text_.route("zoneRoute",
                    "src=\"" + zone_name(edge.from) + "\" dst=\"" + zone_name(edge.to) + "\" gw_src=\"" +
                        gateway(edge.from) + "\" gw_dst=\"" + gateway(edge.to) + "\"",
                    name(edge));
      else text_.route("route", "src=\"" + node_name(edge.from) + "\" dst=\"" + node_name(edge.to) + "\"", name(edge));
    }
  }

  const GeneratorOptions& options_;
  const Graph& graph_;
  SplitMix& random_;
  GeneratedText text_;
  std::vector<Role> roles_;
  bool has_zones_ = false;
};

}  // namespace

Result<std::string> generate_platform(const GeneratorOptions& options) {
  if (const auto mistake = platform::option_fault(options)) return *mistake;
  SplitMix random(options.seed);
  if (options.kind == Kind::clusters) {
    GeneratedText text(options, random);
    platform::write_nested_clusters(text, options, random);
    return text.mistake() ? Result<std::string>(*text.mistake()) : text.take();
  }
  const auto graph = draw_filtered_graph(options, random);
  if (!graph) return graph.error();
  return GraphPlatform(options, graph.value(), random).write();
}

}  // namespace rehearse
