// SPDX-License-Identifier: MIT
//
// rehearse platform extract: a platform file with some hosts of a platform.
#include <iostream>

#include "app/cli/message.hpp"
#include "app/cli/platform_commands.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/verb_options.hpp"
#include "app/exit_status.hpp"
#include "app/finding_json.hpp"
#include "simcore/attribute_distribution.hpp"
#include "simcore/platform_extraction.hpp"

namespace rehearse::cli {
namespace {

struct ExtractTexts {
  std::string file, diameter, mean_speed, speed_deviation, output, json;
  bool quiet = false;
};

void declare(OptionSet& app, ExtractTexts& texts, HostSelection& selection) {
  app.add_option("PLATFORM", texts.file, "platform: a built-in one (rehearse list platforms) or an XML file")
      ->required();
  Option* names = app.add_option("--names", selection.names, "names of the hosts, with commas between them");
  names->delimiter(',')->allow_extra_args(false);
  app.add_option("--hosts", selection.hosts,
                 "number of hosts. Without another condition they are drawn (default: all that the others leave)")
      ->check(whole_number(1, 1'000'000))
      ->excludes(names);
  app.add_option("--diameter", texts.diameter,
                 "greatest latency between two of the hosts, such as 1ms. Takes the largest set of hosts that a search "
                 "finds, or --hosts of them")
      ->excludes(names);
  app.add_option("--mean-speed", texts.mean_speed,
                 "mean speed of a core over the hosts, such as 2Gf: takes --hosts hosts that come as near as possible")
      ->excludes(names);
  app.add_option("--speed-deviation", texts.speed_deviation,
                 "standard deviation of the speed of a core over the hosts, such as 500Mf: likewise")
      ->excludes(names);
  app.add_option("--seed", selection.seed, "seed of the random choices; the same seed gives the same hosts (default 1)")
      ->check(whole_number(0, UINT64_MAX));
  app.add_option("-o,--output", texts.output, "file to write the platform to (default: standard output)");
  app.add_option("--json", texts.json, "file to write the hosts and their moments to, as JSON (-: standard output)");
  app.add_flag("--quiet", texts.quiet, "write no platform to standard output");
}

// A single quantity.
std::optional<Error> read(const char* name, const std::string& text,
                          Result<AttributeDistribution> (*parse)(const std::string&), const char* example,
                          std::optional<double>& value) {
  if (text.empty()) return std::nullopt;
  const auto parsed = parse(text);
  if (!parsed) return Error{std::string(name) + ": " + parsed.error().text};
  if (!parsed.value().upper_end() || text.find("..") != std::string::npos)
    return Error{std::string(name) + ": '" + text + "' given; accepted: one quantity, such as " + example};
  value = parsed.value().upper_end();
  return std::nullopt;
}

app::Json report(const Platform& platform, std::span<const HostId> hosts, const HostMoments& moments,
                 const ExtractedPlatform& extracted) {
  app::Json names = app::Json::array();
  for (const HostId host : hosts) names.push_back(platform.host(host).name);
  return {{"platform", platform.name()},
          {"hosts", std::move(names)},
          {"mean_speed", moments.mean_speed},
          {"speed_deviation", moments.speed_deviation},
          {"diameter", moments.diameter_seconds ? app::Json(*moments.diameter_seconds) : app::Json()},
          {"zones", extracted.zones},
          {"routes", extracted.routes}};
}

int write(const ExtractTexts& texts, const Platform& platform, std::span<const HostId> hosts) {
  const auto extracted = extract_platform(texts.file, platform, hosts);
  if (!extracted) return report_error({"platform extract: " + texts.file + ": " + extracted.error().text});
  if (!texts.output.empty()) {
    const Result<void> written = write_text(texts.output, extracted.value().text);
    if (!written) return report_error({"platform extract: --output: " + written.error().text});
  } else if (!texts.quiet && texts.json != "-") {
    std::cout << extracted.value().text << std::flush;
  }
  if (texts.json.empty()) return app::exit_good;
  const Result<void> written =
      write_json(texts.json, report(platform, hosts, moments_of(platform, hosts), extracted.value()));
  return written ? app::exit_good : report_error({"platform extract: --json: " + written.error().text});
}

}  // namespace

int run_platform_extract(const Arguments& arguments) {
  ExtractTexts texts;
  HostSelection selection;
  Options parser(
      "platform extract", "PLATFORM [options]",
      "Writes a platform file with some hosts of a platform: those of these names, a number of hosts, hosts\n"
      "near each other, or hosts with a mean and a deviation of speeds. Their routes stay the same.",
      "rehearse platform extract cluster:64 --hosts 8 -o eight.xml");
  declare(parser.app(), texts, selection);
  if (const auto status = parser.parse(arguments)) return *status;
  for (const auto& mistake :
       {read("--diameter", texts.diameter, parse_latency_distribution, "1ms", selection.diameter_seconds),
        read("--mean-speed", texts.mean_speed, parse_speed_distribution, "2Gf", selection.mean_speed),
        read("--speed-deviation", texts.speed_deviation, parse_speed_distribution, "500Mf", selection.speed_deviation)})
    if (mistake) return report_error({"platform extract: " + mistake->text});
  auto platform = make_platform(texts.file);
  if (!platform) return report_error(platform.error());
  const auto hosts = select_hosts(platform.value(), selection);
  if (!hosts) return report_error({"platform extract: " + hosts.error().text});
  return write(texts, platform.value(), hosts.value());
}

}  // namespace rehearse::cli
