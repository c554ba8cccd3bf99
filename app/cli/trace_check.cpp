// SPDX-License-Identifier: MIT
//
// rehearse trace check: faults that a trace shows without a platform.
#include "app/trace_check.hpp"

#include <iostream>
#include <optional>

#include "app/check.hpp"
#include "app/cli/interrupt.hpp"
#include "app/cli/message.hpp"
#include "app/cli/progress_line.hpp"
#include "app/cli/report/check_text.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/report/timed_report.hpp"
#include "app/cli/trace_commands.hpp"
#include "app/cli/verb_options.hpp"
#include "app/exit_status.hpp"
#include "app/finding_json.hpp"
#include "app/policies.hpp"
#include "app/sampling.hpp"
#include "app/trace_exploration.hpp"
#include "app/wording.hpp"
#include "mc/explore.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

struct TraceCheckOptions {
  std::string file, json;
  bool all_orders = false, predicts = false, quiet = false, verbose = false;
  mc::Bounds bounds = app::default_bounds();
};

void declare(OptionSet& app, TraceCheckOptions& options) {
  app.add_option("TRACE", options.file,
                 "trace: a recording, time-independent text of all ranks, an index that names a file for each rank, or "
                 "an OTF2 archive (FILE.otf2)")
      ->required();
  Option* all_orders = app.add_flag("--all-orders", options.all_orders,
                                    "explore every order in which the messages of these calls can match");
  app.add_flag("--predict", options.predicts,
               "ask a solver whether these calls can end in a deadlock, lose a message, or match a message of another "
               "length or type, if messages match in another order")
      ->excludes(all_orders);
  app.add_option("--max-executions", options.bounds.max_executions, "with --all-orders: stop after so many executions")
      ->check(whole_number(1, UINT64_MAX));
  app.add_option("--max-seconds", options.bounds.max_seconds,
                 "with --all-orders or --predict: stop after so many seconds")
      ->check(positive_number());
  app.add_option("--json", options.json, "file to write a report to, as JSON (-: standard output)");
  app.add_flag("--quiet", options.quiet, "print nothing; only set the exit status, and write the file");
  app.add_flag("--verbose", options.verbose, "also print warnings");
}

const char* trace_verdict(int status) {
  if (status == app::exit_good) return "no faults";
  return status == app::exit_violation ? "violation" : "inconclusive";
}

app::Json trace_check_report(const app::TraceCheck& check, int status) {
  app::Json json = {{"verdict", trace_verdict(status)},
                    {"format", check.format},
                    {"ranks", check.ranks},
                    {"actions", check.actions},
                    {"policies", app::names_of(app::trace_check_policies())},
                    {"findings", app::Json::array()},
                    {"unsupported", check.unsupported}};
  for (const Finding& finding : check.findings) json["findings"].push_back(app::to_json(finding));
  if (check.data.is_needed()) json["data"] = check.data.words();
  return json;
}

int write_report(const TraceCheckOptions& options, const app::Json& json, int status) {
  if (options.json.empty()) return status;
  const Result<void> written = write_json(options.json, json);
  if (!written) return report_error({"trace check: --json: " + written.error().text});
  return status;
}

int check_one_order(const TraceCheckOptions& options) {
  const auto done = app::check_trace({options.file});
  if (!done) return report_error(done.error());
  const app::TraceCheck& check = done.value();
  const int status = exit_status_of(check.findings, check.unsupported);
  if (!options.quiet && check.data.is_needed())
    std::cerr << fmt::format("rehearse: data: {}: {} in the recorded run\n", check.data.words(), check.data.reason());
  if (!options.quiet) print_findings(check.findings, check.unsupported, options.file, options.verbose);
  if (!options.quiet && options.json != "-" && status == app::exit_good)
    std::cerr << fmt::format("rehearse: no faults in {} of {} (buffering {})\n", app::counted(check.actions, "action"),
                             app::counted(check.ranks, "rank"),
                             app::list_of(app::names_of(app::trace_check_policies())));
  return write_report(options, trace_check_report(check, status), status);
}

int explore_orders(const TraceCheckOptions& options) {
  app::TraceExplorationRequest request = app::default_trace_exploration(options.file);
  request.predicts = options.predicts;
  request.bounds = options.bounds;
  std::optional<Interrupt> interrupt(std::in_place);
  std::optional<ProgressLine> progress(std::in_place, !options.quiet);
  app::CheckHooks hooks;
  hooks.stop = interrupt->stop();
  hooks.progress = [&](const mc::Progress& now) { progress->show(now); };
  const auto report = app::explore_trace(request, hooks);
  progress.reset();
  interrupt.reset();
  if (!report) return report_error(report.error());
  if (!options.quiet) std::cerr << verdict_line(report.value()) << '\n' << other_findings(report.value());
  return write_report(options, to_json(report.value()), exit_status_of(app::answer_of(report.value().verdict)));
}

}  // namespace

int run_trace_check(const Arguments& arguments) {
  TraceCheckOptions options;
  Options parser("trace check", "[options] TRACE",
                 "Looks for faults in a trace, without a platform: messages without receives, members that call\n"
                 "different collectives, messages that are longer than their receives, operations that are never\n"
                 "completed, and deadlocks, also of sends that wait for their receives. Without --all-orders,\n"
                 "messages match in one order. The exit status is 1 if there is a fault.",
                 "rehearse trace check lu.ti");
  declare(parser.app(), options);
  if (const auto status = parser.parse(arguments)) return *status;
  const auto is_given = [&](const char* name) { return parser.app().count(name) > 0; };
  if (!options.all_orders && is_given("--max-executions"))
    return report_error({"trace check: --max-executions needs --all-orders"});
  if (!options.all_orders && !options.predicts && is_given("--max-seconds"))
    return report_error({"trace check: --max-seconds needs --all-orders or --predict"});
  if (options.predicts)
    if (const std::string obstacle = mc::obstacle_to_predictions(); !obstacle.empty())
      return report_error({"trace check: --predict: " + obstacle});
  if (options.all_orders || options.predicts) return explore_orders(options);
  return check_one_order(options);
}

}  // namespace rehearse::cli
