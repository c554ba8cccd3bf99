// SPDX-License-Identifier: MIT
//
// rehearse platform generate: platform files of random, regular and hierarchical graphs.
#include <iostream>

#include "app/cli/message.hpp"
#include "app/cli/platform_commands.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/verb_options.hpp"
#include "app/exit_status.hpp"
#include "simcore/platform_generator.hpp"

namespace rehearse::cli {
namespace {

using Kind = GeneratorOptions::Kind;

struct GenerateTexts {
  std::string kind, sizes, degrees, unconnected = "join", output;
  std::string speed = "1Gf", cores = "1", bandwidth = "125MBps", latency = "50us", cluster_hosts = "16";
  std::vector<std::string> promoters, inner;
};

void declare_graph(OptionSet& app, GenerateTexts& texts, GeneratorOptions& options) {
  app.add_option("KIND", texts.kind,
                 "star, clique, uniform, waxman, exponential, barabasi-albert, n-level, transit-stub or clusters")
      ->required();
  app.add_option("--nodes", options.nodes, "number of nodes of kinds without --sizes (default 16)")
      ->check(whole_number(1, 100'000));
  app.add_option("--seed", options.seed, "seed of the random numbers; the same seed gives the same file (default 1)")
      ->check(whole_number(0, UINT64_MAX));
  app.add_option("--alpha", options.alpha,
                 "uniform, waxman, exponential: probability of an edge between nodes at distance 0 (default 0.4)")
      ->check(positive_number());
  app.add_option("--beta", options.beta,
                 "waxman: part of the diagonal of the square over which this probability falls to 1/e (default 0.2)")
      ->check(positive_number());
  app.add_option("--edges", options.edges, "barabasi-albert: number of edges of each new node (default 2)")
      ->check(whole_number(1, 1000));
  app.add_option("--sizes", texts.sizes,
                 "clusters, n-level: number of parts on each level, hosts or nodes last, for example 2x4x16. "
                 "transit-stub: transit domains, nodes of each, stub domains of each node, nodes of each, for example "
                 "2x4x3x8. A number may be a range: 2x3..5x8");
  app.add_option("--inner", texts.inner,
                 "n-level: kinds of graphs of the levels; transit-stub: of transit domains, their nodes, nodes of stub "
                 "domains; for example waxman,clique,star. The last one is also that of the rest (default uniform)")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--transit-stub-edges", options.transit_stub_edges,
                 "transit-stub: number of more edges between transit nodes and stub domains of others (default 0)")
      ->check(whole_number(0, 1'000'000));
  app.add_option("--stub-stub-edges", options.stub_stub_edges,
                 "transit-stub: number of more edges between stub domains (default 0)")
      ->check(whole_number(0, 1'000'000));
}

void declare_filters(OptionSet& app, GenerateTexts& texts, GeneratorOptions& options) {
  app.add_option("--unconnected", texts.unconnected,
                 "what happens to a random graph that is not connected. join: edges between nearest nodes join its "
                 "components; largest: the largest component remains; redraw: another one is drawn (default join)")
      ->check(one_of({"join", "largest", "redraw"}));
  app.add_option("--tries", options.tries, "redraw: number of graphs to draw at most (default 100)")
      ->check(whole_number(1, 1'000'000));
  app.add_option("--degrees", texts.degrees,
                 "nodes of other degrees are removed, for example 2-8 or 2-; the largest component of the rest "
                 "remains (default: all remain)");
}

void declare_attributes(OptionSet& app, GenerateTexts& texts) {
  app.add_option(
         "--promote", texts.promoters,
         "rule that turns nodes into hosts or clusters, ROLE:DEGREES:PROBABILITY, for example cluster:3-:0.5. The "
         "first rule that applies decides; a node without one becomes a router, and so do transit nodes (default "
         "host:0-:1)")
      ->allow_extra_args(false);
  app.add_option("--speed", texts.speed,
                 "speed of a core: a quantity, LOW..HIGH, normal(MEAN,DEVIATION), exponential(MEAN), "
                 "lognormal(MEDIAN,SIGMA), pareto(LEAST,ALPHA), choice(A:WEIGHT,B:WEIGHT) or file:PATH, a file with "
                 "a quantity on each line (default 1Gf)");
  app.add_option("--cores", texts.cores,
                 "number of cores of a host: a number, or a distribution as of --speed (default 1)");
  app.add_option("--bandwidth", texts.bandwidth,
                 "bandwidth of a link: a quantity, or a distribution as of --speed (default 125MBps)");
  app.add_option("--latency", texts.latency,
                 "latency of a link: a quantity, or a distribution as of --speed. Where nodes lie in a square, a "
                 "quantity or the upper value of LOW..HIGH is that of the longest link (default 50us)");
  app.add_option("--cluster-hosts", texts.cluster_hosts,
                 "number of hosts of a node that becomes a cluster: a number, or a distribution as of --speed "
                 "(default 16)");
  app.add_option("-o,--output", texts.output, "file to write the platform to (default: standard output)");
}

// The options that only some kinds have: an option without effect is refused.
std::optional<Error> misplaced(const OptionSet& given, Kind kind, bool is_redrawn) {
  const bool is_graph = kind != Kind::clusters;
  const bool is_hierarchy = kind == Kind::n_level || kind == Kind::transit_stub;
  const bool is_random = is_hierarchy || kind == Kind::uniform || kind == Kind::waxman || kind == Kind::exponential;
  struct Condition {
    const char* option;
    bool is_accepted;
    const char* kinds;
  };
  for (const Condition& each :
       {Condition{"--sizes", is_hierarchy || !is_graph, "clusters, n-level, transit-stub"},
        Condition{"--nodes", is_graph && !is_hierarchy, "kinds without --sizes"},
        Condition{"--inner", is_hierarchy, "n-level, transit-stub"},
        Condition{"--transit-stub-edges", kind == Kind::transit_stub, "transit-stub"},
        Condition{"--stub-stub-edges", kind == Kind::transit_stub, "transit-stub"},
        Condition{"--unconnected", is_random, "uniform, waxman, exponential, n-level, transit-stub"},
        Condition{"--alpha", is_random, "uniform, waxman, exponential, n-level, transit-stub"},
        Condition{"--beta", is_hierarchy || kind == Kind::waxman, "waxman, n-level, transit-stub"},
        Condition{"--edges", is_hierarchy || kind == Kind::barabasi_albert, "barabasi-albert, n-level, transit-stub"},
        Condition{"--tries", is_redrawn, "--unconnected redraw"},
        Condition{"--degrees", is_graph, "kinds of graphs, not clusters"},
        Condition{"--promote", is_graph, "kinds of graphs, not clusters"}})
    if (given.count(each.option) > 0 && !each.is_accepted)
      return Error{std::string(each.option) + " is for " + each.kinds};
  if (is_graph && !is_hierarchy) return std::nullopt;
  if (given.count("--sizes") > 0) return std::nullopt;
  return Error{kind == Kind::transit_stub ? "transit-stub needs --sizes, such as 2x4x3x8"
               : is_hierarchy             ? "n-level needs --sizes, such as 4x4x8"
                                          : "clusters needs --sizes, such as 2x4x16"};
}

std::optional<Error> read_graph(const GenerateTexts& texts, GeneratorOptions& options) {
  if (!texts.sizes.empty()) {
    auto sizes = parse_sizes(texts.sizes);
    if (!sizes) return Error{"--sizes: " + sizes.error().text};
    options.sizes = std::move(sizes.value());
  }
  for (const std::string& text : texts.inner) {
    auto kind = parse_inner_kind(text);
    if (!kind) return Error{"--inner: " + kind.error().text};
    options.inner.push_back(kind.value());
  }
  if (!texts.degrees.empty()) {
    auto degrees = parse_degrees(texts.degrees);
    if (!degrees) return Error{"--degrees: " + degrees.error().text};
    options.degrees = degrees.value();
  }
  using Unconnected = GeneratorOptions::Unconnected;
  options.unconnected = texts.unconnected == "join"      ? Unconnected::join
                        : texts.unconnected == "largest" ? Unconnected::largest
                                                         : Unconnected::redraw;
  for (const std::string& text : texts.promoters) {
    auto promoter = parse_promoter(text);
    if (!promoter) return promoter.error();
    options.promoters.push_back(promoter.value());
  }
  return std::nullopt;
}

std::optional<Error> read_attributes(const GenerateTexts& texts, GeneratorOptions& options) {
  struct Entry {
    const char* name;
    const std::string& text;
    Result<AttributeDistribution> (*parse)(const std::string&);
    AttributeDistribution& distribution;
  };
  for (const Entry& entry :
       {Entry{"--speed", texts.speed, parse_speed_distribution, options.speed},
        Entry{"--cores", texts.cores, parse_count_distribution, options.cores},
        Entry{"--bandwidth", texts.bandwidth, parse_bandwidth_distribution, options.bandwidth},
        Entry{"--latency", texts.latency, parse_latency_distribution, options.latency},
        Entry{"--cluster-hosts", texts.cluster_hosts, parse_count_distribution, options.cluster_hosts}}) {
    auto distribution = entry.parse(entry.text);
    if (!distribution) return Error{std::string(entry.name) + ": " + distribution.error().text};
    entry.distribution = std::move(distribution.value());
  }
  return std::nullopt;
}

std::optional<Error> read(const OptionSet& given, const GenerateTexts& texts, GeneratorOptions& options) {
  auto kind = parse_generator_kind(texts.kind);
  if (!kind) return kind.error();
  options.kind = kind.value();
  if (auto mistake = misplaced(given, options.kind, texts.unconnected == "redraw")) return mistake;
  if (auto mistake = read_graph(texts, options)) return mistake;
  return read_attributes(texts, options);
}

}  // namespace

int run_platform_generate(const Arguments& arguments) {
  GenerateTexts texts;
  GeneratorOptions options;
  Options parser("platform generate", "KIND [options]",
                 "Writes a platform file. The nodes of a random, regular or hierarchical graph become hosts, clusters\n"
                 "or routers; the kind clusters nests clusters. The same options give the same file.",
                 "rehearse platform generate waxman --nodes 50 --promote cluster:3-:0.5 --promote host:0-:1");
  declare_graph(parser.app(), texts, options);
  declare_filters(parser.app(), texts, options);
  declare_attributes(parser.app(), texts);
  if (const auto status = parser.parse(arguments)) return *status;
  if (const auto mistake = read(parser.app(), texts, options))
    return report_error({"platform generate: " + mistake->text});
  auto text = generate_platform(options);
  if (!text) return report_error({"platform generate: " + text.error().text});
  if (texts.output.empty()) {
    std::cout << text.value() << std::flush;
    return app::exit_good;
  }
  const Result<void> written = write_text(texts.output, text.value());
  return written ? app::exit_good : report_error({"platform generate: --output: " + written.error().text});
}

}  // namespace rehearse::cli
