// SPDX-License-Identifier: MIT
//
// See calibrate_pairs.hpp.
#include "app/cli/calibrate_pairs.hpp"

#include <iostream>

#include "app/cli/message.hpp"
#include "app/cli/report/calibration_page.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/exit_status.hpp"
#include "app/last_mile.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

constexpr std::size_t shown_hosts = 20;

std::string in_percent(const app::Json& value) { return fmt::format("{:.2f} %", 100 * value.get<double>()); }

std::string value_of_link(const app::Json& link) {
  if (link["bandwidth"].is_null()) return "-";
  const bool is_bound = link["known"].get<std::string>() == "lower bound";
  return fmt::format("{}{:.6g}", is_bound ? ">= " : "", 1e-6 * link["bandwidth"].get<double>());
}

std::string value_of_latency(const app::Json& latency) {
  if (latency["seconds"].is_null()) return "-";
  if (latency["known"].get<std::string>() == "range")
    return fmt::format("{:.5g}..{:.5g}", 1e6 * latency["least"].get<double>(), 1e6 * latency["most"].get<double>());
  return fmt::format("{:.6g}", 1e6 * latency["seconds"].get<double>());
}

void print_link(const app::Json& link) {
  const bool is_measured = !link["bandwidth"].is_null();
  std::cout << fmt::format(" {:>13} {:>9} {:>8}", value_of_link(link),
                           is_measured ? fmt::format("{}/{}", link["limited"].get<std::uint64_t>(),
                                                     link["pairs"].get<std::uint64_t>())
                                       : "-",
                           link["limited"].get<std::uint64_t>() > 0 ? in_percent(link["spread"]) : "-");
}

void print_fitted_hosts(const app::Json& report) {
  const app::Json& hosts = report["hosts"];
  std::cout << fmt::format("{:<20} {:>13} {:>9} {:>8} {:>13} {:>9} {:>8} {:>15} {:>6} {:>8}\n", "host", "up MB/s",
                           "limited", "spread", "down MB/s", "limited", "spread", "latency us", "pairs", "spread");
  for (std::size_t i = 0; i < hosts.size() && i < shown_hosts; ++i) {
    const app::Json& host = hosts[i];
    const app::Json& latency = host["latency"];
    std::cout << fmt::format("{:<20}", host["name"].get<std::string>());
    print_link(host["up"]);
    print_link(host["down"]);
    const std::uint64_t pairs = latency["pairs"].get<std::uint64_t>();
    std::cout << fmt::format(" {:>15} {:>6} {:>8}\n", value_of_latency(latency), pairs,
                             pairs > 0 ? in_percent(latency["spread"]) : "-");
  }
  if (hosts.size() > shown_hosts)
    std::cout << fmt::format("{} more hosts are in --json and --html\n", hosts.size() - shown_hosts);
}

void print_pair_errors(const char* title, const app::Json& errors) {
  if (errors.empty()) return;
  std::cout << fmt::format("{:<28} {:>9} {:>7} {:>10} {:>10} {:>10} {:>12}\n", title, "pairs", "cases", "mean",
                           "median", "greatest", "logarithmic");
  for (const app::Json& each : errors)
    std::cout << fmt::format("  {:<26} {:>9} {:>7} {:>10} {:>10} {:>10} {:>12}\n", each["model"].get<std::string>(),
                             each["pairs"].get<std::string>(), each["cases"].get<std::uint64_t>(),
                             in_percent(each["mean"]), in_percent(each["median"]), in_percent(each["greatest"]),
                             in_percent(each["logarithmic"]));
}

void print_last_mile(const app::Json& report) {
  std::cout << fmt::format("{} hosts, {} pairs with latency, {} with bandwidth; value of a pair: {}\n",
                           report["hosts"].size(), report["latency"]["from"].size(), report["bandwidth"]["from"].size(),
                           report["statistic"].get<std::string>());
  if (!report["links"].is_null()) std::cout << fmt::format("links: {}\n", report["links"].get<std::string>());
  print_fitted_hosts(report);
  print_pair_errors("error of latencies", report["latency"]["errors"]);
  print_pair_errors("error of bandwidths", report["bandwidth"]["errors"]);
}

Result<void> write_outputs_of(const CalibratePairsOptions& options, const app::LastMile& fit) {
  const auto at = [](const char* option, const Result<void>& written) -> Result<void> {
    if (!written) return Error{fmt::format("{}: {}", option, written.error().text)};
    return {};
  };
  Result<void> done;
  if (!options.platform.empty()) done = at("--platform", write_text(options.platform, fit.platform));
  if (done && !options.json.empty()) done = at("--json", write_json(options.json, fit.report));
  if (done && !options.html.empty())
    done = at("--html", write_file(options.html, [&](std::ostream& out) { write_last_mile_page(out, fit.report); }));
  return done;
}

}  // namespace

int run_calibrate_pairs(const CalibratePairsOptions& options) {
  app::LastMileRequest request;
  request.files = options.files;
  request.folds = options.folds;
  if (!options.statistic.empty()) request.statistic = options.statistic;
  if (options.links == "symmetric") request.links = app::LastMileLinks::symmetric;
  if (options.links == "directed") request.links = app::LastMileLinks::directed;
  auto fit = app::fit_last_mile(request);
  if (!fit) return report_error(of_verb("calibrate", fit.error()));
  if (const auto written = write_outputs_of(options, fit.value()); !written)
    return report_error(of_verb("calibrate", written.error()));
  for (const std::string& warning : fit.value().warnings) std::cerr << "rehearse: warning: " << warning << '\n';
  if (!options.quiet && options.json != "-" && options.platform != "-") print_last_mile(fit.value().report);
  return app::exit_good;
}

}  // namespace rehearse::cli
