// SPDX-License-Identifier: MIT
//
// rehearse platform generate: platform files of random and regular graphs.
#include <charconv>
#include <iostream>

#include "app/cli/message.hpp"
#include "app/cli/platform_commands.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/verb_options.hpp"
#include "app/exit_status.hpp"
#include "simcore/platform_generator.hpp"

namespace rehearse::cli {
namespace {

struct Texts {
  std::string kind, sizes, output;
  std::string speed = "1Gf", cores = "1", bandwidth = "125MBps", latency = "50us", cluster_hosts = "16";
  std::vector<std::string> promoters;
};

void declare(OptionSet& app, Texts& texts, GeneratorOptions& options) {
  app.add_option("KIND", texts.kind, "star, clique, waxman, barabasi-albert or clusters")->required();
  app.add_option("--nodes", options.nodes, "number of nodes of the graph (default 16)")
      ->check(whole_number(1, 100'000));
  app.add_option("--seed", options.seed, "seed of the random numbers; the same seed gives the same file (default 1)")
      ->check(whole_number(0, UINT64_MAX));
  app.add_option("--alpha", options.alpha, "waxman: probability of an edge between nodes at distance 0 (default 0.4)")
      ->check(positive_number());
  app.add_option("--beta", options.beta,
                 "waxman: distance in sides of the square over which this probability falls to 1/e (default 0.2)")
      ->check(positive_number());
  app.add_option("--edges", options.edges, "barabasi-albert: number of edges of each new node (default 2)")
      ->check(whole_number(1, 1000));
  app.add_option("--sizes", texts.sizes, "clusters: number of parts on each level, hosts last, for example 2x4x16");
  app.add_option(
      "--promote", texts.promoters,
      "rule that turns nodes into hosts or clusters, ROLE:DEGREES:PROBABILITY, for example cluster:3-:0.5. The "
      "first rule that applies decides; a node without one becomes a router (default host:0-:1)");
  app.add_option("--speed", texts.speed, "speed of a core: a quantity, or LOW..HIGH (default 1Gf)");
  app.add_option("--cores", texts.cores, "number of cores of a host: a number, or LOW..HIGH (default 1)");
  app.add_option("--bandwidth", texts.bandwidth, "bandwidth of a link: a quantity, or LOW..HIGH (default 125MBps)");
  app.add_option("--latency", texts.latency,
                 "latency of a link: a quantity, or LOW..HIGH; waxman: the upper value is that of the longest link "
                 "(default 50us)");
  app.add_option("--cluster-hosts", texts.cluster_hosts,
                 "number of hosts of a node that becomes a cluster: a number, or LOW..HIGH (default 16)");
  app.add_option("-o,--output", texts.output, "file to write the platform to (default: standard output)");
}

std::optional<Error> read_sizes(const std::string& text, GeneratorOptions& options) {
  std::string_view rest = text;
  while (!rest.empty()) {
    std::uint32_t value = 0;
    const auto [end, code] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    const auto used = static_cast<std::size_t>(end - rest.data());
    if (code != std::errc() || value == 0 || (used < rest.size() && (rest[used] != 'x' || used + 1 == rest.size())))
      return Error{"--sizes: '" + text + "' given; accepted: numbers with x between them, such as 2x4x16"};
    options.sizes.push_back(value);
    rest.remove_prefix(std::min(used + 1, rest.size()));
  }
  return std::nullopt;
}

std::optional<Error> read(const Texts& texts, GeneratorOptions& options) {
  auto kind = parse_generator_kind(texts.kind);
  if (!kind) return kind.error();
  options.kind = kind.value();
  const bool is_nested = options.kind == GeneratorOptions::Kind::clusters;
  if (is_nested == texts.sizes.empty())
    return Error{is_nested ? "clusters needs --sizes, such as 2x4x16" : "--sizes is for the kind clusters"};
  if (is_nested && !texts.promoters.empty()) return Error{"--promote is for kinds of graphs, not for clusters"};
  if (auto mistake = read_sizes(texts.sizes, options)) return mistake;
  for (const std::string& text : texts.promoters) {
    auto promoter = parse_promoter(text);
    if (!promoter) return promoter.error();
    options.promoters.push_back(promoter.value());
  }
  struct Entry {
    const char* name;
    const std::string& text;
    Result<RealRange> (*parse)(const std::string&);
    RealRange& range;
  };
  for (const Entry& entry : {Entry{"--speed", texts.speed, parse_speed_range, options.speed},
                             Entry{"--cores", texts.cores, parse_count_range, options.cores},
                             Entry{"--bandwidth", texts.bandwidth, parse_bandwidth_range, options.bandwidth},
                             Entry{"--latency", texts.latency, parse_seconds_range, options.latency},
                             Entry{"--cluster-hosts", texts.cluster_hosts, parse_count_range, options.cluster_hosts}}) {
    auto range = entry.parse(entry.text);
    if (!range) return Error{std::string(entry.name) + ": " + range.error().text};
    entry.range = range.value();
  }
  return std::nullopt;
}

}  // namespace

int run_platform_generate(const Arguments& arguments) {
  Texts texts;
  GeneratorOptions options;
  Options parser("platform generate", "KIND [options]",
                 "Writes a platform file. The nodes of a random or regular graph become hosts, clusters or routers;\n"
                 "the kind clusters nests clusters. The same options give the same file.",
                 "rehearse platform generate waxman --nodes 50 --promote cluster:3-:0.5 --promote host:0-:1");
  declare(parser.app(), texts, options);
  if (const auto status = parser.parse(arguments)) return *status;
  if (const auto mistake = read(texts, options)) return report_error({"platform generate: " + mistake->text});
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
