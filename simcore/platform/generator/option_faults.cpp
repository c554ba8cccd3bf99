// SPDX-License-Identifier: MIT
//
// The accepted values of each option of the generator.
#include "simcore/platform/generator/option_faults.hpp"

#include <algorithm>

#include "simcore/platform/generator/flat_graph.hpp"
#include "simcore/platform/generator/writer.hpp"
#include "simcore/platform/limited_product.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::platform {

namespace {

using Kind = GeneratorOptions::Kind;
using Options = GeneratorOptions;

constexpr std::uint64_t hierarchy_nodes_max = 100'000;

std::uint64_t most_parts(const Options& options) {
  std::uint64_t parts = 1;
  for (const SizeRange size : options.sizes) parts = limited_product(parts, size.high);
  return parts;
}

bool has_faulty_range(const Options& options) {
  return std::any_of(options.sizes.begin(), options.sizes.end(),
                     [](SizeRange size) { return size.low == 0 || size.high < size.low; });
}

std::optional<Error> cluster_fault(const Options& options) {
  const std::uint64_t hosts = most_parts(options);
  if (!options.sizes.empty() && options.sizes.size() <= 8 && !has_faulty_range(options) && hosts <= generated_hosts_max)
    return std::nullopt;
  return Error{fmt::format("sizes: accepted: 1 to 8 numbers greater than 0 whose product is at most {} hosts",
                           generated_hosts_max)};
}

std::optional<Error> hierarchy_fault(const Options& options) {
  const bool is_stub = options.kind == Kind::transit_stub;
  const std::size_t count = options.sizes.size();
  if (is_stub ? count != 4 : count < 1 || count > 8)
    return Error{is_stub ? "sizes: accepted: 4 numbers for transit domains, their nodes, stub domains of each transit "
                           "node and their nodes, such as 2x4x3x8"
                         : "sizes: accepted: 1 to 8 numbers of nodes for the levels, such as 4x4x8"};
  if (has_faulty_range(options)) return Error{"sizes: accepted: numbers greater than 0, and LOW..HIGH"};
  const std::uint64_t transit = is_stub ? limited_product(options.sizes[0].high, options.sizes[1].high) : 0;
  const std::uint64_t nodes = most_parts(options);
  if (nodes > hierarchy_nodes_max || nodes + transit > hierarchy_nodes_max)
    return Error{fmt::format("sizes: accepted: up to {} nodes in all", hierarchy_nodes_max)};
  for (std::size_t level = 0; level < count; ++level) {
    if (is_stub && level == 2) continue;  // a number of domains
    const std::size_t graph = is_stub && level == 3 ? 2 : level;
    const Kind kind = options.inner.empty() ? Kind::uniform : options.inner[std::min(graph, options.inner.size() - 1)];
    if (options.sizes[level].high > nodes_max(kind))
      return Error{fmt::format("sizes: {} nodes of a graph given; accepted: up to {} for its kind",
                               options.sizes[level].high, nodes_max(kind))};
  }
  for (const Kind kind : options.inner)
    if (!is_flat(kind)) return Error{"graphs of parts: accepted: kinds without sizes"};
  if (options.inner.size() > (is_stub ? 3 : count))
    return Error{fmt::format("{} kinds of graphs of parts given; accepted: up to {}", options.inner.size(),
                             is_stub ? 3 : count)};
  return std::nullopt;
}

std::optional<Error> size_fault(const Options& options) {
  if (options.kind == Kind::clusters) return cluster_fault(options);
  if (!is_flat(options.kind)) return hierarchy_fault(options);
  if (options.nodes == 0 || options.nodes > nodes_max(options.kind))
    return Error{fmt::format("nodes: accepted: 1 to {} for this kind", nodes_max(options.kind))};
  return std::nullopt;
}

std::optional<Error> attribute_fault(const Options& options) {
  struct Attribute {
    const char* name;
    const AttributeDistribution& distribution;
    const AttributeBounds& bounds;
  };
  for (const Attribute& each :
       {Attribute{"speed", options.speed, rate_bounds}, Attribute{"cores", options.cores, core_bounds},
        Attribute{"bandwidth", options.bandwidth, rate_bounds}, Attribute{"latency", options.latency, latency_bounds},
        Attribute{"hosts of clusters", options.cluster_hosts, cluster_bounds}})
    if (const auto fault = each.distribution.fault(each.bounds))
      return Error{std::string(each.name) + ": " + fault->text};
  return std::nullopt;
}

}  // namespace

std::optional<Error> option_fault(const GeneratorOptions& o) {
  if (auto fault = size_fault(o)) return fault;
  if (!(o.alpha > 0 && o.alpha <= 1)) return Error{"alpha: accepted: above 0, up to 1"};
  if (!(o.beta > 0 && o.beta <= 100)) return Error{"beta: accepted: above 0, up to 100"};
  if (o.edges == 0 || o.edges > 1000) return Error{"edges: accepted: 1 to 1000"};
  if (o.tries == 0 || o.tries > 1'000'000) return Error{"tries: accepted: 1 to 1000000"};
  if (std::max(o.transit_stub_edges, o.stub_stub_edges) > 1'000'000)
    return Error{"more edges of a transit-stub graph: accepted: up to 1000000"};
  if (o.degrees && o.degrees->most < o.degrees->least) return Error{"degrees: accepted: N, N-M or N-"};
  if (auto fault = attribute_fault(o)) return fault;
  const auto most = o.cluster_hosts.upper_end();
  if (o.kind != Kind::clusters && is_flat(o.kind) && most && *most * o.nodes > generated_hosts_max)
    return Error{
        fmt::format("hosts of clusters: accepted: from 1 on, and together with the number of nodes up to {} hosts",
                    generated_hosts_max)};
  return std::nullopt;
}

}  // namespace rehearse::platform
