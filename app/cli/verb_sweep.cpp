// SPDX-License-Identifier: MIT
//
// rehearse sweep: Monte Carlo over a skeleton at many points.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "app/cli/interrupt.hpp"
#include "app/cli/machine_options.hpp"
#include "app/cli/message.hpp"
#include "app/cli/message_options.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/report/sweep_report.hpp"
#include "app/cli/verb_options.hpp"
#include "app/cli/verbs.hpp"
#include "app/exit_status.hpp"
#include "app/sweep.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/read_file.hpp"

namespace rehearse::cli {
namespace {

struct SweepWords {
  std::string ranks, on, variability, half_width, collectives, tail, profiles, scaling;
  std::vector<std::string> axes;
};

struct SweepFiles {
  std::string json, csv, resume, report;
  bool is_quiet = false;
};

void declare(OptionSet& app, app::SweepRequest& request, SweepWords& words, SweepFiles& files) {
  app.add_option("SKELETON", request.skeleton, "skeleton of a program: a JSON file (docs/many-node.md)")->required();
  app.add_option("--ranks", words.ranks, "numbers of ranks: 16,256,4096, 64..4096:x2 or 16..64:+16")->required();
  app.add_option("--on", words.on,
                 "platforms, with commas between them: built-in ones (rehearse list platforms) or XML files (default: "
                 "cluster:N with a host for each rank)");
  app.add_option(
      "--vary", words.axes,
      "KEY=VALUE,VALUE,...: bandwidth and latency (a factor of the platform's, or a value for a host's link as "
      "20Gbps, 500ns), speed (factor on computation), noise (factor on the spread of draws), node-noise "
      "(standard deviation of the speed of hosts), placement, collectives, or an option of the network model. "
      "Can be given again");
  app.add_option("--replicas", request.replicas, "replicas of each point (default 30)")
      ->check(whole_number(1, 100'000));
  app.add_option("--half-width", words.half_width,
                 "instead: replicas until half the 95 % interval is below this part of the mean (1%), 5 to 1,000");
  app.add_option("--variability", words.variability,
                 "full (default), mean (each draw is its mean), independent (no order, no common effects), trace "
                 "(recorded times), with commas between them");
  app.add_option("--profile", words.profiles,
                 "profile of rehearse profile: its clusters and markers replace those of the skeleton");
  app.add_option("--samples", request.samples, "CSV file of recorded times, for --variability trace");
  app.add_option("--tail", words.tail, "draws beyond the samples: fitted (default) or measured (the largest sample)")
      ->check(one_of({"fitted", "measured"}));
  app.add_option(
         "--scaling", words.scaling,
         "weak (default): the work of a rank does not depend on the number of ranks, but as its profile says; "
         "strong: --profile names profiles of one problem on several numbers of ranks, with commas between them")
      ->check(one_of({"weak", "strong"}));
  app.add_flag("--extrapolate", request.extrapolates, "accept numbers of ranks that the profiles do not support");
  app.add_option("--seed", request.seed, "seed of all draws (default 1)");
  app.add_option("--jobs", request.jobs, "child processes at a time (default 1); results do not depend on it")
      ->check(whole_number(1, 1024));
  app.add_option(
         "--collective-times", words.collectives,
         "messages: collectives are the messages of their algorithm; alone: each takes the time that it takes on "
         "the idle network when all ranks begin together (default: alone with --network constant, else messages)")
      ->check(one_of({"messages", "alone"}));
  cli::declare(app, request.machine.models);
  declare_network_changes(app, request.machine.changes);
  cli::declare(app, request.machine.protocol);
  declare_algorithms(app, "--collective-algorithms,--collectives", request.machine);
  app.add_option("--map", request.machine.map,
                 "host of each rank: block, cyclic (default), random:SEED, or a file with lines RANK HOST");
  app.add_option("--json", files.json, "file to write the points to, as JSON (-: standard output)");
  app.add_option("--csv", files.csv, "file to write a line to as each point ends");
  app.add_option("--resume", files.resume,
                 "CSV file of an interrupted sweep: its points are not run again, new ones are added to it");
  app.add_option("--report", files.report, "HTML page to write: curves with bands, stacks, crossings, a table");
  app.add_flag("--quiet", files.is_quiet, "print no text");
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> pieces(1);
  for (const char c : text) {
    if (c == ',') pieces.emplace_back();
    else pieces.back() += c;
  }
  return pieces;
}

Result<double> part_in(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const bool is_percent = std::string(end) == "%";
  const double part = is_percent ? number / 100 : number;
  if (text.empty() || (*end != '\0' && !is_percent) || !(part > 0 && part < 1))
    return Error{fmt::format("--half-width: '{}'; accepted: a part of the mean between 0 and 1, or as 1%", text)};
  return part;
}

Result<void> read_words(const SweepWords& words, bool has_page, app::SweepRequest& request) {
  auto ranks = app::parse_rank_counts(words.ranks);
  if (!ranks) return ranks.error();
  request.ranks = std::move(ranks.value());
  request.platforms = split_at_commas(words.on);  // an empty one is the default
  for (const std::string& platform : request.platforms)
    if (platform.empty() && !words.on.empty())
      return Error{fmt::format("--on: '{}'; accepted: platforms with commas between them", words.on)};
  for (const std::string& text : words.axes) {
    auto axis = app::parse_sweep_axis(text);
    if (!axis) return axis.error();
    for (const app::SweepAxis& other : request.axes)
      if (other.key == axis.value().key) return Error{fmt::format("--vary: {} is there twice", other.key)};
    request.axes.push_back(std::move(axis.value()));
  }
  if (!words.half_width.empty()) {
    const auto part = part_in(words.half_width);
    if (!part) return part.error();
    request.half_width = part.value();
    request.replicas = 30;
  }
  if (!words.variability.empty()) {
    auto all = app::parse_variabilities(words.variability);
    if (!all) return all.error();
    request.variabilities = std::move(all.value());
  }
  if (!words.collectives.empty())
    request.collectives = words.collectives == "alone" ? app::CollectiveDurations::alone
                                                       : app::CollectiveDurations::messages;
  if (!words.profiles.empty()) request.profiles = split_at_commas(words.profiles);
  request.is_strong = words.scaling == "strong";
  request.wants_pictures = has_page;
  request.has_fitted_tails = words.tail != "measured";
  return {};
}

// An interrupted write may have left the beginning of a line.
Result<void> cut_incomplete_line(const std::string& file) {
  const auto text = read_file(file);
  const std::size_t end = text ? text->rfind('\n') : std::string::npos;
  std::error_code fault;
  if (end != std::string::npos) std::filesystem::resize_file(file, end + 1, fault);
  if (end == std::string::npos || fault) return Error{fmt::format("--resume: '{}' cannot be written", file)};
  return {};
}

// One line on the terminal, and the points in a CSV file.
class SweepLines final : public app::SweepListener {
 public:
  SweepLines(bool shows_progress, std::ofstream* csv, std::string file)
      : enabled_(shows_progress && isatty(STDERR_FILENO) != 0), csv_(csv), file_(std::move(file)) {}
  ~SweepLines() override {
    if (shown_) std::cerr << "\r\033[K" << std::flush;
  }
  SweepLines(const SweepLines&) = delete;
  SweepLines& operator=(const SweepLines&) = delete;

  void on_progress(const app::SweepProgress& progress) override {
    if (!enabled_ || progress.seconds < 1) return;
    shown_ = true;
    std::string text = fmt::format("point {} of {}, replica {} of {}", progress.points_done + 1, progress.points,
                                   progress.replicas_done, progress.replicas);
    if (progress.fraction > 0.01)
      text += fmt::format(", {:.0f} s left", progress.seconds * (1 - progress.fraction) / progress.fraction);
    std::cerr << "\r\033[K" << text << std::flush;
  }

  Result<void> on_point(const app::SweepPoint& point) override {
    if (csv_ == nullptr) return {};
    *csv_ << app::csv_line(point) << std::flush;
    if (!*csv_) return Error{fmt::format("--csv: '{}' cannot be written", file_)};
    return {};
  }

 private:
  bool enabled_;
  bool shown_ = false;
  std::ofstream* csv_;
  std::string file_;
};

int report_sweep(const app::SweepReport& report, const SweepFiles& files) {
  const bool uses_output = files.json == "-";
  if (!files.is_quiet && !uses_output) std::cout << sweep_text(report) << std::flush;
  if (!files.is_quiet)
    for (const std::string& warning : report.warnings) std::cerr << "warning: " << warning << '\n';
  if (!files.json.empty())
    if (const auto written = write_json(files.json, app::to_json(report)); !written)
      return report_error({"sweep: --json: " + written.error().text});
  if (!files.report.empty())
    if (const auto written = write_text(files.report, sweep_page(report)); !written)
      return report_error({"sweep: --report: " + written.error().text});
  if (!report.was_interrupted) return app::exit_good;
  if (!files.is_quiet)
    std::cerr << "inconclusive: interrupted after " << report.points.size() << " of " << report.points_wanted
              << " points\n";
  return app::exit_inconclusive;
}

}  // namespace

int run_sweep(const Arguments& arguments) {
  app::SweepRequest request;
  SweepWords words;
  SweepFiles files;
  Options parser("sweep", "SKELETON --ranks N,N,... [options]",
                 "Runs a skeleton of a program with random computation times, in many replicas and at many numbers of "
                 "ranks.",
                 "rehearse sweep app.skeleton.json --ranks 64..4096:x4 --on fat-tree:4096");
  declare(parser.app(), request, words, files);
  if (const auto status = parser.parse(arguments)) return *status;
  if (parser.app().count("--half-width") > 0 && parser.app().count("--replicas") > 0)
    return report_error({"sweep: --half-width and --replicas exclude each other"});
  if (!files.csv.empty() && !files.resume.empty())
    return report_error({"sweep: --csv and --resume exclude each other: --resume adds to its own file"});
  if (const auto read = read_words(words, !files.report.empty(), request); !read)
    return report_error(of_verb("sweep", read.error()));
  std::vector<app::SweepPoint> known;
  if (!files.resume.empty()) {
    auto read = app::read_sweep_csv(files.resume, request);
    if (!read) return report_error(of_verb("sweep", read.error()));
    known = std::move(read.value());
    if (const auto cut = cut_incomplete_line(files.resume); !cut) return report_error(of_verb("sweep", cut.error()));
  }
  std::ofstream csv;
  const std::string& csv_file = files.resume.empty() ? files.csv : files.resume;
  if (!csv_file.empty()) {
    csv.open(csv_file, files.resume.empty() ? std::ios::trunc : std::ios::app);
    if (files.resume.empty()) csv << app::csv_head(request) << std::flush;
    if (!csv) return report_error({fmt::format("sweep: --csv: '{}' cannot be written", csv_file)});
  }
  Result<app::SweepReport> report = Error{};
  {
    const Interrupt interrupt;
    SweepLines lines(!files.is_quiet, csv_file.empty() ? nullptr : &csv, csv_file);
    report = app::sweep(request, known, interrupt.stop(), lines);
  }
  if (!report) return report_error(of_verb("sweep", report.error()));
  return report_sweep(report.value(), files);
}

}  // namespace rehearse::cli
