// SPDX-License-Identifier: MIT
//
// See repeat_options.hpp.
#include "app/cli/repeat_options.hpp"

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <limits>

#include "app/check.hpp"
#include "app/cli/message.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/report/repetition_report.hpp"
#include "app/cli/verb_options.hpp"
#include "app/exit_status.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

constexpr std::uint32_t repeats_max = 2000;  // a comparison looks at each pair of runs
constexpr std::uint32_t attempts_max = 100;

// "run 3 of 20" on the terminal while runs go on.
class RunsLine {
 public:
  RunsLine(bool wanted, std::uint32_t runs) : enabled_(wanted && isatty(STDERR_FILENO) != 0), runs_(runs) {}
  ~RunsLine() {
    if (shown_) std::cerr << "\r\033[K" << std::flush;
  }
  RunsLine(const RunsLine&) = delete;
  RunsLine& operator=(const RunsLine&) = delete;

  void show(std::uint32_t ended) {
    if (!enabled_) return;
    shown_ = true;
    std::cerr << "\r\033[K" << fmt::format("{} of {} runs ended", ended, runs_) << std::flush;
  }

 private:
  bool enabled_, shown_ = false;
  std::uint32_t runs_;
};

int report_failure(const app::Repetition& repetition, const RepeatOutput& output) {
  const app::RepetitionFailure& failure = *repetition.failure;
  const std::string which =
      fmt::format("run {} of {} (seed {})", failure.run + 1, repetition.options.runs, failure.seed);
  if (!failure.error.empty())
    return report_error({failure.run == 0 ? failure.error : output.verb + ": " + which + ": " + failure.error,
                         failure.exit_status == app::exit_inconclusive});
  if (output.is_quiet) return failure.exit_status;
  std::cerr << failure.text << "rehearse: " << which << " failed; to run it alone: --seed " << failure.seed
            << " without --repeat\n";
  return failure.exit_status;
}

}  // namespace

void declare_seed(OptionSet& app, RepeatOptions& options, const std::string& what) {
  app.add_option("--seed", options.seed,
                 "seed of all random numbers that have no seed of their own: " + what + " (default 1)")
      ->check(whole_number(0, std::numeric_limits<std::uint64_t>::max()));
}

void declare_repeat(OptionSet& app, RepeatOptions& options, bool measures) {
  app.add_option("--repeat", options.runs,
                 "run so many times, with seeds that are drawn from --seed, and report mean, standard deviation, "
                 "quantiles and confidence intervals of the simulated time")
      ->check(whole_number(1, repeats_max));
  app.add_option("--jobs", options.jobs,
                 measures
                     ? "with --repeat: runs at a time (default: number of processors; 1 if computation is measured)"
                     : "with --repeat: runs at a time (default: number of processors)")
      ->check(whole_number(1, mc::jobs_max));
  if (!measures) return;
  app.add_option("--repeat-disturbed", options.more_if_disturbed,
                 "run again, up to so many times, if other load disturbed the measured computation of a run; the least "
                 "disturbed attempt counts (default 0)")
      ->check(whole_number(0, attempts_max));
}

Result<app::RepetitionOptions> repetition_of(const RepeatOptions& options, bool is_measured) {
  if (options.jobs && !options.runs) return Error{"--jobs needs --repeat"};
  if (options.more_if_disturbed && !is_measured)
    return Error{"--repeat-disturbed needs measured computation (--compute measured or sampled)"};
  app::RepetitionOptions result;
  result.runs = options.runs.value_or(1);
  result.jobs = std::min(options.jobs.value_or(is_measured ? 1 : app::default_jobs()), result.runs);
  result.more_if_disturbed = options.more_if_disturbed.value_or(0);
  result.seed = options.seed.value_or(1);
  return result;
}

int repeat_and_report(const app::RepetitionOptions& options, const app::AttemptWork& work, const StopToken& stop,
                      const RepeatOutput& output) {
  app::Repetition repetition;
  {
    RunsLine line(!output.is_quiet, options.runs);
    repetition = app::repeat(options, work, stop, [&](std::uint32_t ended) { line.show(ended); });
  }
  int status = repetition.is_partial() ? app::exit_inconclusive : app::exit_good;
  if (repetition.failure) status = report_failure(repetition, output);
  else if (repetition.is_partial() && !output.is_quiet)
    std::cerr << fmt::format("inconclusive: interrupted: {} of {} runs ended\n", repetition.runs.size(), options.runs);
  if (output.has_summary && !output.is_quiet && output.json != "-" && !repetition.runs.empty() && !repetition.failure)
    std::cerr << text_of(repetition);
  if (output.json.empty() || repetition.first.report.is_null()) return status;
  app::Json report = repetition.first.report;
  report["repetition"] = to_json(repetition);
  const Result<void> written = write_json(output.json, report);
  return written ? status : report_error({output.verb + ": --json: " + written.error().text});
}

}  // namespace rehearse::cli
