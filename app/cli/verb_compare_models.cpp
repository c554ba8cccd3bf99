// SPDX-License-Identifier: MIT
//
// rehearse compare-models, and trace compare-models: one run or replay under several network models.
#include <iostream>
#include <limits>

#include "app/cli/interrupt.hpp"
#include "app/cli/machine_options.hpp"
#include "app/cli/message.hpp"
#include "app/cli/message_options.hpp"
#include "app/cli/read_job.hpp"
#include "app/cli/recording/picture_options.hpp"
#include "app/cli/report/model_report.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/trace_commands.hpp"
#include "app/cli/trace_options.hpp"
#include "app/cli/verb_options.hpp"
#include "app/cli/verbs.hpp"
#include "app/exit_status.hpp"
#include "app/launch.hpp"
#include "app/model_comparison.hpp"

namespace rehearse::cli {
namespace {

struct ComparisonOptions {
  std::string models = app::default_compared_models;
  double tolerance = 10;  // per cent
  std::uint32_t rows = 10;
  std::string json, report;
  bool quiet = false;
};

void declare(OptionSet& app, ComparisonOptions& options) {
  app.add_option("--models", options.models,
                 std::string("network models to compare (rehearse list models), separated by commas; with keys of "
                             "--packet: MODEL:KEY=VALUE+KEY=VALUE (default ") +
                     app::default_compared_models + ")");
  app.add_option("--tolerance", options.tolerance,
                 "difference between packets and the nearest other model that counts, in per cent (default 10)")
      ->check(number_from_zero());
  app.add_option("--rows", options.rows, "largest number of printed rows of each table (default 10)")
      ->check(whole_number(1, std::numeric_limits<std::uint32_t>::max()));
  app.add_option("--json", options.json, "file to write a report to, as JSON (-: standard output)");
  declare_report(app, options.report);
  app.add_flag("--quiet", options.quiet, "print no text");
}

int worst_status(const app::ModelComparison& comparison) {
  int status = app::exit_good;
  for (const app::ModelRun& run : comparison.runs) {
    if (run.exit_status == app::exit_violation) return app::exit_violation;
    if (run.exit_status != app::exit_good) status = app::exit_inconclusive;
  }
  return status;
}

void print_problems(const app::ModelComparison& comparison) {
  for (const app::ModelRun& run : comparison.runs) {
    if (!run.has_run()) std::cerr << "rehearse: model " << run.label << ": no result: " << run.problem << '\n';
    else if (!run.finding.empty())
      std::cerr << "rehearse: model " << run.label << ": violation: " << run.finding << '\n';
  }
}

// The fault of the input for which no model could run, if it is the same for all.
const std::string* common_fault(const std::vector<app::ModelRun>& runs) {
  for (const app::ModelRun& run : runs)
    if (run.exit_status != app::exit_bad_input || run.problem != runs[0].problem) return nullptr;
  return &runs[0].problem;
}

int put_out(const std::string& verb, const std::string& program, const ComparisonOptions& options,
            std::vector<app::ModelRun> runs) {
  if (const std::string* fault = common_fault(runs)) return report_error({verb + ": " + *fault});
  const app::ModelComparison comparison = app::compare(std::move(runs), options.tolerance / 100);
  print_problems(comparison);
  if (!options.quiet && options.json != "-") std::cout << text_of(comparison, options.rows);
  if (!options.json.empty())
    if (const auto written = write_json(options.json, to_json(comparison)); !written)
      return report_error({verb + ": --json: " + written.error().text});
  if (!options.report.empty())
    if (const auto written = write_html(options.report, page_of(comparison, verb, program)); !written)
      return report_error({verb + ": --report: " + written.error().text});
  return worst_status(comparison);
}

constexpr const char* chosen_by_models = "does not apply: --models chooses the models";

}  // namespace

int run_compare_models(const Arguments& arguments) {
  ComparisonOptions options;
  app::RunRequest request;
  std::uint32_t ranks = 0;
  Options parser("compare-models", "-n N [options] PROGRAM [ARGS...] [: -n M PROGRAM [ARGS...]]...",
                 "Runs a program under several network models, and reports where they differ: in time, by call, by\n"
                 "phase and by link, and whether the program needs a network of packets. The output of the program\n"
                 "is dropped, and files that it writes are discarded.",
                 "rehearse compare-models -n 16 --on crossbar:16 --models mpi,packet ./cg");
  OptionSet& app = parser.app();
  app.add_option("-n,--np", ranks, "number of ranks")->required()->check(whole_number(1, app::ranks_max));
  declare(app, options);
  cli::declare(app, request.machine, true);
  cli::declare(app, request.machine.protocol);
  app.add_option("--reduction-flops", request.combine_flops_per_byte,
                 "cost of a reduction for the receiver, in flops per byte (default 1)")
      ->check(number_from_zero());
  if (const auto status = parser.parse_with_program(arguments)) return *status;
  if (app.count("--network") > 0) return report_error({std::string("compare-models: --network ") + chosen_by_models});
  const auto choices = app::parse_model_choices(options.models);
  if (!choices) return report_error({"compare-models: --models: " + choices.error().text});
  auto job = read_job(parser.program(), ranks);
  if (!job) return report_error(job.error());
  request.job = std::move(job.value());
  const Interrupt interrupt;
  return put_out("compare-models", parser.program()[0], options,
                 app::run_models(request, choices.value(), interrupt.stop()));
}

int run_trace_compare_models(const Arguments& arguments) {
  ComparisonOptions options;
  app::TraceReplayRequest request;
  request.verb = "trace compare-models";
  Options parser("trace compare-models", "[options] TRACE",
                 "Replays a trace under several network models, and reports where they differ: in time, by call, by\n"
                 "phase and by link, and whether a network of packets is needed.",
                 "rehearse trace compare-models --on crossbar:16 --models mpi,packet lu.rtrace");
  OptionSet& app = parser.app();
  declare_trace(app, request.file);
  declare(app, options);
  declare_replay(app, request);
  if (const auto status = parser.parse(arguments)) return *status;
  if (app.count("--network") > 0) return report_error({request.verb + ": --network " + chosen_by_models});
  const auto choices = app::parse_model_choices(options.models);
  if (!choices) return report_error({request.verb + ": --models: " + choices.error().text});
  const Interrupt interrupt;
  return put_out(request.verb, request.file, options, app::replay_models(request, choices.value(), interrupt.stop()));
}

}  // namespace rehearse::cli
