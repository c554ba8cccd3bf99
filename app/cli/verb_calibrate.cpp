// SPDX-License-Identifier: MIT
//
// rehearse calibrate: from measurements under a real MPI library to a platform file.
#include <unistd.h>

#include <filesystem>
#include <iostream>

#include "app/calibration.hpp"
#include "app/cli/calibrate_pairs.hpp"
#include "app/cli/interrupt.hpp"
#include "app/cli/message.hpp"
#include "app/cli/report/calibration_page.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/report/page_sources.hpp"
#include "app/cli/verb_options.hpp"
#include "app/cli/verbs.hpp"
#include "app/exit_status.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

struct CalibrateOptions {
  app::CalibrationRequest request;
  std::vector<std::string> pairs;
  std::string program, platform, html, json, verified, statistic, links;
  bool quiet = false;
};

void declare(OptionSet& app, CalibrateOptions& options) {
  app::CalibrationRequest& request = options.request;
  app.add_option("CSV", request.files, "output of the calibration program, one file or several");
  app.add_option("--program", options.program,
                 "write the calibration program to this folder, as calibrate.c, or to this file (-: standard output)");
  app.add_option("--pairs", options.pairs,
                 "CSV of latencies or bandwidths between some pairs of hosts, columns from,to,latency,bandwidth: fit a "
                 "platform with an up link and a down link for each host");
  app.add_option(
         "--links", options.links,
         "with --pairs: auto (symmetric if most hosts were measured both ways, and this predicts pairs left out "
         "no worse; default), symmetric, directed")
      ->check(one_of({"auto", "symmetric", "directed"}));
  app.add_option("--on", request.on,
                 "platform file: its topology and nominal values stay, and only its <config> changes (default: a star "
                 "of as many hosts as there are nodes in the CSV)");
  app.add_option("--platform", options.platform, "file to write the calibrated platform to (-: standard output)");
  app.add_option("--html", options.html, "file to write a page for browsers to: measured points, fit, residuals");
  app.add_option("--json", options.json, "file to write a report to, as JSON (-: standard output)");
  app.add_option("--statistic", options.statistic,
                 "value of each size or pair: minimum, p10 (10 % of the repetitions are faster, default), median "
                 "(default with --pairs)")
      ->check(one_of({"minimum", "p10", "median"}));
  app.add_option("--folds", request.folds, "parts of the cross-validation (default 10)")->check(whole_number(2, 1000));
  app.add_option("--verify", options.verified,
                 "the compiled calibration program (rehearse cc): run it on the new platform in simulated time, and "
                 "print measured and simulated times");
  app.add_option("--speed", request.speed_kernel,
                 "kernel whose rate becomes the speed of hosts: triad, product, stencil, sparse, sort (default: 10 "
                 "Gflop/s, so that computation takes as long as measured)");
  app.add_option("--here", request.here,
                 "CSV with --compute of this machine: print the --compute-scale with which it predicts the nodes of "
                 "the other CSV");
  app.add_flag("--quiet", options.quiet, "print no text");
}

int write_program(const std::string& target) {
  std::string file = target;
  if (std::error_code error; std::filesystem::is_directory(target, error)) file = target + "/calibrate.c";
  const Result<void> written = write_text(file, page::calibration_program);
  if (!written) return report_error({"calibrate: --program: " + written.error().text});
  return app::exit_good;
}

std::string percent(const app::Json& value) { return fmt::format("{:.2f} %", 100 * value.get<double>()); }

void print_errors(const char* title, const app::Json& errors) {
  if (errors.empty()) return;
  std::cout << fmt::format("{:<48} {:>6} {:>10} {:>10} {:>12}\n", title, "cases", "mean", "greatest", "logarithmic");
  for (const app::Json& each : errors)
    std::cout << fmt::format("  {:<46} {:>6} {:>10} {:>10} {:>12}\n",
                             (each.contains("model") ? each["model"] : each["test"]).get<std::string>(),
                             each["cases"].get<std::uint64_t>(), percent(each["mean"]), percent(each["greatest"]),
                             percent(each["logarithmic"]));
}

std::string bytes_or(const app::Json& value, const char* otherwise) {
  return value.is_null() ? otherwise : fmt::format("{:.0f} bytes", value.get<double>());
}

void print_network(const app::Json& report) {
  const app::Json &protocol = report["protocol"], &network = report["network"];
  std::cout << fmt::format("eager threshold: {}; handshake: {}\n", bytes_or(protocol["eager_bytes"], "none found"),
                           protocol["handshake"].get<std::string>());
  std::cout << fmt::format("route: latency {:.6g} us, bandwidth {:.6g} MB/s\n", 1e6 * network["latency"].get<double>(),
                           1e-6 * network["bandwidth"].get<double>());
  std::cout << fmt::format("{:>12} {:>16} {:>9} {:>18} {:>9} {:>6}\n", "bytes above", "latency factor", "+-",
                           "bandwidth factor", "+-", "sizes");
  for (const app::Json& piece : network["pieces"])
    std::cout << fmt::format("{:>12.0f} {:>16.5g} {:>9} {:>18.5g} {:>9} {:>6}\n", piece["above"].get<double>(),
                             piece["latency_factor"].get<double>(), percent(piece["latency_error"]),
                             piece["bandwidth_factor"].get<double>(), percent(piece["bandwidth_error"]),
                             piece["sizes"].get<std::uint64_t>());
  for (const app::Json& piece : network["contention"])
    std::cout << fmt::format("{} flows on a link: {:.3f} of its capacity ({:.3f} to {:.3f})\n",
                             piece["flows"].get<std::uint64_t>(), piece["factor"].get<double>(),
                             piece["least"].get<double>(), piece["greatest"].get<double>());
  if (const app::Json& loopback = network["loopback"]; !loopback.is_null())
    std::cout << fmt::format("inside of a node: latency {:.4g} us, bandwidth {:.5g} MB/s, mean error {}\n",
                             1e6 * loopback["latency"].get<double>(), 1e-6 * loopback["bandwidth"].get<double>(),
                             percent(loopback["mean_error"]));
}

void print_compute(const app::Json& report) {
  for (const app::Json& rate : report["compute"])
    std::cout << fmt::format("{}: {:.4g} {} on {}\n", rate["kernel"].get<std::string>(), rate["rate"].get<double>(),
                             rate["unit"].get<std::string>(), rate["host"].get<std::string>());
  for (const auto& [kernel, scale] : report["compute_scale"].members())
    std::cout << fmt::format("--compute-scale {:.4g} ({})\n", scale.get<double>(), kernel);
}

void print_cases(const std::vector<app::VerifiedCase>& cases) {
  std::cout << fmt::format("{:<18} {:>5} {:>10} {:>14} {:>14} {:>9}\n", "test", "ranks", "bytes", "measured us",
                           "simulated us", "error");
  for (const app::VerifiedCase& each : cases)
    std::cout << fmt::format("{:<18} {:>5} {:>10} {:>14.3f} {:>14.3f} {:>8.2f} %\n", each.test, each.ranks, each.bytes,
                             1e6 * each.measured, 1e6 * each.simulated,
                             100 * (each.simulated - each.measured) / each.measured);
}

// The platform's file for a verification that the user does not keep.
class PlatformFile {
 public:
  explicit PlatformFile(const std::string& kept) : path_(kept), is_kept_(!kept.empty() && kept != "-") {
    if (!is_kept_)
      path_ = std::filesystem::temp_directory_path() / fmt::format("rehearse-calibrated-{}.xml", ::getpid());
  }
  PlatformFile(const PlatformFile&) = delete;
  PlatformFile& operator=(const PlatformFile&) = delete;
  ~PlatformFile() {
    std::error_code ignored;
    if (!is_kept_) std::filesystem::remove(path_, ignored);
  }
  Result<void> write(const std::string& text) const { return is_kept_ ? Result<void>{} : write_text(path_, text); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  bool is_kept_;
};

Result<std::vector<app::VerifiedCase>> verified_cases(const CalibrateOptions& options,
                                                      const app::Calibration& calibration) {
  const PlatformFile file(options.platform);
  if (const auto written = file.write(calibration.platform); !written) return written.error();
  const Interrupt interrupt;
  return app::verify(calibration, file.path(), options.verified, interrupt.stop());
}

// The fault of options that do not go together; empty: none.
std::string fault_of(const CalibrateOptions& options) {
  if (!options.pairs.empty()) {
    const app::CalibrationRequest& request = options.request;
    for (const auto& [name, is_given] : {std::pair("CSV files of the calibration program", !request.files.empty()),
                                         {"--program", !options.program.empty()},
                                         {"--on", !request.on.empty()},
                                         {"--verify", !options.verified.empty()},
                                         {"--speed", !request.speed_kernel.empty()},
                                         {"--here", !request.here.empty()}})
      if (is_given) return fmt::format("--pairs and {} exclude each other", name);
    return {};
  }
  if (!options.links.empty()) return "--links is for --pairs";
  if (options.program.empty() && options.request.files.empty())
    return "no CSV given; accepted: CSV files, --pairs, or --program";
  if (!options.program.empty() && !options.request.files.empty()) return "--program and CSV files exclude each other";
  if (!options.request.on.empty() && !options.request.speed_kernel.empty())
    return "--speed and --on exclude each other: the speeds of --on stay";
  return {};
}

Result<void> write_outputs(const CalibrateOptions& options, const app::Calibration& calibration) {
  if (calibration.platform.empty() && !(options.platform + options.html + options.verified).empty())
    return Error{"the CSV has no messages; accepted: without --platform, --html and --verify"};
  if (!options.platform.empty())
    if (const auto written = write_text(options.platform, calibration.platform); !written)
      return Error{"--platform: " + written.error().text};
  return {};
}

}  // namespace

int run_calibrate(const Arguments& arguments) {
  CalibrateOptions options;
  Options parser("calibrate", "[options] CSV...",
                 "Makes a platform file of measurements under a real MPI library or between hosts, with its error.",
                 "rehearse calibrate --program . && mpicc -O2 calibrate.c -o calibrate -lm\n"
                 "  mpirun -n 2 ./calibrate > measured.csv\n"
                 "  rehearse calibrate measured.csv --platform cluster.xml --html cluster.html\n"
                 "  rehearse calibrate --pairs pairs.csv --platform hosts.xml");
  declare(parser.app(), options);
  if (const auto status = parser.parse(arguments)) return *status;
  if (const std::string fault = fault_of(options); !fault.empty()) return report_error({"calibrate: " + fault});
  if (!options.pairs.empty())
    return run_calibrate_pairs({options.pairs, options.platform, options.html, options.json, options.statistic,
                                options.links, options.request.folds, options.quiet});
  if (!options.program.empty()) return write_program(options.program);
  if (!options.statistic.empty()) options.request.statistic = options.statistic;
  auto calibration = app::calibrate(options.request);
  if (!calibration) return report_error(of_verb("calibrate", calibration.error()));
  if (const auto written = write_outputs(options, calibration.value()); !written)
    return report_error(of_verb("calibrate", written.error()));
  app::Json& report = calibration.value().report;
  std::vector<app::VerifiedCase> cases;
  if (!options.verified.empty()) {
    auto verified = verified_cases(options, calibration.value());
    if (!verified) return report_error(of_verb("calibrate", verified.error()));
    cases = std::move(verified.value());
    report["verification"] = app::to_json(cases);
  }
  for (const std::string& warning : calibration.value().warnings) std::cerr << "rehearse: warning: " << warning << '\n';
  const bool prints = !options.quiet && options.json != "-" && options.platform != "-";
  if (prints && !calibration.value().platform.empty()) {
    print_network(report);
    print_errors("error of half round trips", report["errors"]);
    print_errors("error of flows at once", report["contention_errors"]);
    if (!cases.empty()) print_cases(cases);
    if (!cases.empty()) print_errors("error of the simulated program", report["verification"]["tests"]);
  }
  if (prints) print_compute(report);
  if (!options.json.empty())
    if (const auto written = write_json(options.json, report); !written)
      return report_error({"calibrate: --json: " + written.error().text});
  if (!options.html.empty())
    if (const auto written = write_file(options.html, [&](std::ostream& out) { write_calibration_page(out, report); });
        !written)
      return report_error({"calibrate: --html: " + written.error().text});
  return app::exit_good;
}

}  // namespace rehearse::cli
