// SPDX-License-Identifier: MIT
//
// Turns the nodes of a graph into hosts, clusters or routers, and writes a platform file.
//
// Shape: without clusters, one zone with a route for each edge. With clusters, each node is a zone with one gateway,
//        because the format connects zones only with zones. Nested clusters of a zone are connected by a hub.
#include "simcore/platform_generator.hpp"

#include <charconv>
#include <cmath>
#include <optional>

#include "simcore/platform/generator/graph.hpp"
#include "simcore/platform/limited_product.hpp"
#include "simcore/support/format.hpp"

namespace rehearse {

namespace {

using platform::Graph;
using Kind = GeneratorOptions::Kind;
using Role = Promoter::Role;

constexpr std::uint32_t floyd_nodes_max = 200;
constexpr std::uint64_t hosts_max = 1'000'000;

// The shortest text that is read as the same number.
std::string text_of(double value) {
  char text[40];
  const auto [end, code] = std::to_chars(text, text + sizeof text, value);
  return {text, end};
}

class Writer {
 public:
  Writer(const GeneratorOptions& options, SplitMix& random) : options_(options), random_(random) {
    text_ = "<?xml version=\"1.0\"?>\n"
            "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
            "<platform version=\"4.1\">\n";
  }

  std::string take() { return std::move(text_) + "</platform>\n"; }

  void line(const std::string& words) { text_ += std::string(2 * depth_, ' ') + words + "\n"; }
  void open(const std::string& words) {
    line(words);
    ++depth_;
  }
  void close(const std::string& tag) {
    --depth_;
    line("</" + tag + ">");
  }

  void host(const std::string& name) {
    const std::string speed = text_of(draw(options_.speed));
    line(fmt::format(R"(<host id="{}" speed="{}f" core="{}"/>)", name, speed, draw_count(options_.cores)));
  }
  void router(const std::string& name) { line("<router id=\"" + name + "\"/>"); }
  void link(const std::string& name, double length) {
    const std::string bandwidth = text_of(draw(options_.bandwidth));
    const double latency = options_.kind == Kind::waxman ? length * options_.latency.high : draw(options_.latency);
    line("<link id=\"" + name + "\" bandwidth=\"" + bandwidth + "Bps\" latency=\"" + text_of(latency) +
         "s\" sharing_policy=\"SPLITDUPLEX\"/>");
  }
  // The name of its router is that of the cluster with the suffix _router.
  void cluster(const std::string& name, std::uint64_t hosts) {
    const std::string speed = text_of(draw(options_.speed));
    const std::uint64_t cores = draw_count(options_.cores);
    const std::string bandwidth = text_of(draw(options_.bandwidth));
    const std::string latency = text_of(draw(options_.latency));
    line(fmt::format(R"(<cluster id="{0}" prefix="{0}-" suffix="" radical="0-{1}" speed="{2}f" core="{3}" )"
                     R"(bw="{4}Bps" lat="{5}s" router_id="{0}_router"/>)",
                     name, hosts - 1, speed, cores, bandwidth, latency));
  }
  void route(const std::string& tag, const std::string& ends, const std::string& link) {
    line("<" + tag + " " + ends + "><link_ctn id=\"" + link + "\" direction=\"UP\"/></" + tag + ">");
  }

  double draw(RealRange range) { return range.low + (range.high - range.low) * random_.uniform(); }
  std::uint64_t draw_count(RealRange range) {
    const auto low = static_cast<std::uint64_t>(range.low);
    return low + random_.below(static_cast<std::uint64_t>(range.high) - low + 1);
  }

 private:
  const GeneratorOptions& options_;
  SplitMix& random_;
  std::string text_;
  std::size_t depth_ = 1;
};

Role promote(const std::vector<Promoter>& promoters, std::uint32_t degree, SplitMix& random) {
  if (promoters.empty()) return Role::host;
  for (const Promoter& promoter : promoters) {
    if (degree < promoter.degree_min || degree > promoter.degree_max) continue;
    if (random.uniform() < promoter.probability) return promoter.role;
  }
  return Role::router;
}

std::string node_name(std::uint32_t node) { return fmt::format("node-{}", node); }
std::string zone_name(std::uint32_t node) { return fmt::format("zone-{}", node); }

void write_node_zone(Writer& writer, std::uint32_t node, Role role, const GeneratorOptions& options) {
  if (role == Role::cluster) return writer.cluster(node_name(node), writer.draw_count(options.cluster_hosts));
  writer.open("<zone id=\"" + zone_name(node) + "\" routing=\"Full\">");
  if (role == Role::host) writer.host(node_name(node));
  else writer.router(node_name(node));
  writer.close("zone");
}

void write_edges(Writer& writer, const Graph& graph, const std::vector<Role>& roles, bool has_zones) {
  const auto zone = [&](std::uint32_t node) {
    return roles[node] == Role::cluster ? node_name(node) : zone_name(node);
  };
  const auto gateway = [&](std::uint32_t node) {
    return node_name(node) + (roles[node] == Role::cluster ? "_router" : "");
  };
  const auto name = [](const Graph::Edge& edge) { return fmt::format("link-{}-{}", edge.from, edge.to); };
  for (const Graph::Edge& edge : graph.edges) writer.link(name(edge), edge.length);
  for (const Graph::Edge& edge : graph.edges) {
    if (has_zones)
      writer.route("zoneRoute",
                   "src=\"" + zone(edge.from) + "\" dst=\"" + zone(edge.to) + "\" gw_src=\"" + gateway(edge.from) +
                       "\" gw_dst=\"" + gateway(edge.to) + "\"",
                   name(edge));
    else writer.route("route", "src=\"" + node_name(edge.from) + "\" dst=\"" + node_name(edge.to) + "\"", name(edge));
  }
}

Result<std::string> generate_graph(const GeneratorOptions& options) {
  SplitMix random(options.seed);
  const Graph graph = platform::make_graph(options, random);
  const std::vector<std::uint32_t> degrees = graph.degrees();
  std::vector<Role> roles;
  for (const std::uint32_t degree : degrees) roles.push_back(promote(options.promoters, degree, random));
  bool has_hosts = false, has_clusters = false;
  for (const Role role : roles) {
    has_hosts = has_hosts || role != Role::router;
    has_clusters = has_clusters || role == Role::cluster;
  }
  if (!has_hosts)
    return Error{fmt::format(
        "none of the {} nodes became a host or cluster; other degrees, probabilities or seeds would give some",
        options.nodes)};
  Writer writer(options, random);
  writer.open(std::string("<zone id=\"world\" routing=\"") +
              (options.nodes <= floyd_nodes_max ? "Floyd" : "DijkstraCache") + "\">");
  for (std::uint32_t node = 0; node < options.nodes; ++node) {
    if (has_clusters) write_node_zone(writer, node, roles[node], options);
    else if (roles[node] == Role::host) writer.host(node_name(node));
    else writer.router(node_name(node));
  }
  write_edges(writer, graph, roles, has_clusters);
  writer.close("zone");
  return writer.take();
}

// Returns the router that connects the part.
std::string write_part(Writer& writer, const std::vector<std::uint32_t>& sizes, std::size_t level,
                       const std::string& name) {
  if (level + 1 == sizes.size()) {
    writer.cluster(name, sizes[level]);
    return name + "_router";
  }
  writer.open("<zone id=\"" + name + "\" routing=\"Floyd\">");
  const std::string hub = name + "-hub";
  writer.open("<zone id=\"" + hub + "\" routing=\"Full\">");
  writer.router(hub + "_router");
  writer.close("zone");
  std::vector<std::string> gateways;
  const auto part = [&](std::uint32_t i) { return fmt::format("{}.{}", name, i); };
  for (std::uint32_t i = 0; i < sizes[level]; ++i) gateways.push_back(write_part(writer, sizes, level + 1, part(i)));
  for (std::uint32_t i = 0; i < sizes[level]; ++i) writer.link("link-" + part(i), 1);
  for (std::uint32_t i = 0; i < sizes[level]; ++i)
    writer.route("zoneRoute",
                 "src=\"" + part(i) + "\" dst=\"" + hub + "\" gw_src=\"" + gateways[i] + "\" gw_dst=\"" + hub +
                     "_router\"",
                 "link-" + part(i));
  writer.close("zone");
  return hub + "_router";
}

Result<std::string> generate_clusters(const GeneratorOptions& options) {
  std::uint64_t hosts = 1;
  for (const std::uint32_t size : options.sizes) hosts = platform::limited_product(hosts, size);
  if (options.sizes.empty() || options.sizes.size() > 8 || hosts == 0 || hosts > hosts_max)
    return Error{
        fmt::format("sizes: accepted: 1 to 8 numbers greater than 0 whose product is at most {} hosts", hosts_max)};
  SplitMix random(options.seed);
  Writer writer(options, random);
  write_part(writer, options.sizes, 0, "part");
  return writer.take();
}

std::optional<Error> mistake_in(const GeneratorOptions& o) {
  const std::uint32_t nodes_max = o.kind == Kind::clique ? 2'000 : o.kind == Kind::waxman ? 10'000 : 100'000;
  if (o.nodes == 0 || o.nodes > nodes_max)
    return Error{fmt::format("nodes: accepted: 1 to {} for this kind", nodes_max)};
  if (!(o.alpha > 0 && o.alpha <= 1)) return Error{"alpha: accepted: above 0, up to 1"};
  if (!(o.beta > 0 && o.beta <= 100)) return Error{"beta: accepted: above 0, up to 100"};
  if (o.edges == 0 || o.edges > 1000) return Error{"edges: accepted: 1 to 1000"};
  if (o.cores.low < 1) return Error{"cores: accepted: from 1 on"};
  if (o.cluster_hosts.low < 1 || o.cluster_hosts.high * o.nodes > hosts_max)
    return Error{fmt::format(
        "hosts of clusters: accepted: from 1 on, and together with the number of nodes up to {} hosts", hosts_max)};
  if (o.speed.low <= 0) return Error{"speed: accepted: greater than 0"};
  if (o.bandwidth.low <= 0) return Error{"bandwidth: accepted: greater than 0"};
  return std::nullopt;
}

}  // namespace

Result<std::string> generate_platform(const GeneratorOptions& options) {
  if (const auto mistake = mistake_in(options)) return *mistake;
  return options.kind == Kind::clusters ? generate_clusters(options) : generate_graph(options);
}

}  // namespace rehearse
