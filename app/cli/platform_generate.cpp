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
  app.add_option("--nodes", options.nodes, "nodes of the graph [16]")->check(whole_number(1, 100'000));
  app.add_option("--seed", options.seed, "equal seeds give equal files [1]")->check(whole_number(0, UINT64_MAX));
  app.add_option("--alpha", options.alpha, "waxman: probability of an edge between neighbours [0.4]")
      ->check(positive_number());
  app.add_option("--beta", options.beta, "waxman: how slowly it falls with the distance [0.2]")
      ->check(positive_number());
  app.add_option("--edges", options.edges, "barabasi-albert: edges of each new node [2]")->check(whole_number(1, 1000));
  app.add_option("--sizes", texts.sizes, "clusters: parts of each level, hosts last, such as 2x4x16");
  app.add_option("--promote", texts.promoters,
                 "what nodes become: ROLE:DEGREES:PROBABILITY, such as cluster:3-:0.5; the first that applies decides, "
                 "the rest become routers; several are tried in order [host:0-:1]");
  app.add_option("--speed", texts.speed, "of a core: a quantity, or LOW..HIGH [1Gf]");
  app.add_option("--cores", texts.cores, "of a host, likewise [1]");
  app.add_option("--bandwidth", texts.bandwidth, "of links, likewise [125MBps]");
  app.add_option("--latency", texts.latency,
                 "of links, likewise; waxman: the higher one, over the whole square [50us]");
  app.add_option("--cluster-hosts", texts.cluster_hosts, "of nodes that become clusters, likewise [16]");
  app.add_option("-o,--output", texts.output, "file to write the platform to [standard output]");
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
                 "Writes a platform file: a graph of that kind whose nodes become hosts, clusters or routers, or\n"
                 "clusters of clusters. Equal options give equal bytes.",
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
