// SPDX-License-Identifier: MIT
//
// rehearse check of a program of the actor API.
#include <algorithm>
#include <iostream>
#include <optional>

#include "app/actor_check.hpp"
#include "app/cli/actor_verbs.hpp"
#include "app/cli/interrupt.hpp"
#include "app/cli/message.hpp"
#include "app/cli/progress_line.hpp"
#include "app/cli/read_job.hpp"
#include "app/cli/recording/picture_options.hpp"
#include "app/cli/report/actor_check_page.hpp"
#include "app/cli/report/check_text.hpp"
#include "app/cli/report/machine_formats.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/search_option.hpp"
#include "app/cli/selection_options.hpp"
#include "app/cli/state_options.hpp"
#include "app/cli/verb_options.hpp"
#include "simcore/remote_actor_program.hpp"

namespace rehearse::cli {
namespace {

constexpr std::uint64_t grace_executions = 100;  // a new process each

struct ActorCheckOptions {
  std::string reduction = "odpor";
  SearchOption search = {.can_predict = false};
  mc::Bounds bounds;
  std::uint32_t jobs = 1;
  std::string counterexample = "rehearse-counterexample.json";
  double minimise_seconds = 2;
  SelectionOptions selected;
  std::string json, page;
  MachineFormats formats;
  StateOptions states;
  bool quiet = false;
};

void declare(OptionSet& app, ActorCheckOptions& options) {
  app.add_option("--reduction", options.reduction,
                 "executions to explore: one per order of dependent steps (odpor, the default), or all (none)")
      ->check(one_of({"odpor", "none"}));
  declare(app, options.search);
  app.add_flag("--all", options.bounds.all_findings, "search for further errors after the first one");
  app.add_option("--max-executions", options.bounds.max_executions, "stop after this number of executions")
      ->check(whole_number(1, UINT64_MAX));
  app.add_option("--max-seconds", options.bounds.max_seconds, "stop after this number of seconds")
      ->check(positive_number());
  app.add_option("--max-step-seconds", options.bounds.max_step_seconds,
                 "report a step that takes longer than this, in seconds (default 60)")
      ->check(positive_number());
  declare(app, options.states);
  app.add_option("--jobs", options.jobs, "number of processes that explore: 1")->check(whole_number(1, 1));
  declare(app, options.selected);
  app.add_option("--counterexample", options.counterexample, "file to write the counter-example of the first error to");
  app.add_option("--minimise", options.minimise_seconds,
                 "time to spend on minimising the counter-example, in seconds (default 2); 0 keeps it as found")
      ->check(number_from_zero());
  app.add_option("--json", options.json, "file to write the report to, as JSON (-: standard output)");
  declare_report(app, options.page);
  declare(app, options.formats);
  app.add_flag("--quiet", options.quiet, "print no text; only set the exit status, and write the files");
}

// Random and bounded searches choose among all steps.
Result<mc::Strategy> strategy_of(const ActorCheckOptions& options, const OptionSet& app) {
  mc::Strategy strategy;
  if (auto done = read_search(app, options.search, strategy); !done) return done.error();
  if (strategy.search == mc::Search::depth_first) {
    strategy.reduction = options.reduction == "none" ? mc::Reduction::none : mc::Reduction::odpor;
    return strategy;
  }
  for (const char* other : {"--reduction", "--ltl"})
    if (app.count(other) > 0) return Error{"--search " + options.search.search + " does not work with " + other};
  return strategy;
}

void print(const ActorCheckOptions& options, const app::CheckReport& report) {
  if (options.quiet) return;
  if (!print_annotations(options.formats, report)) std::cerr << verdict_line(report) << '\n' << other_findings(report);
}

Result<app::CheckReport> check(const ActorCheckOptions& options, const app::ActorCheckRequest& request) {
  std::optional<Interrupt> interrupt(std::in_place);
  std::optional<ProgressLine> progress(std::in_place, !options.quiet);
  app::CheckHooks hooks;
  hooks.stop = interrupt->stop();
  hooks.progress = [&](const mc::Progress& now) { progress->show(now); };
  hooks.explored = [&] {
    progress.reset();
    interrupt.reset();
  };
  hooks.judged = [&](const app::CheckReport& report) { print(options, report); };
  return app::check_actors(request, hooks);
}

}  // namespace

bool is_of_actors(const std::string& program) {
  if (program.empty()) return false;
  const auto path = find_program(program);
  return path && is_actor_program(path.value());
}

void refuse_options_for_mpi(Options& parser, const std::vector<std::string>& names) {
  const std::vector<std::string> own = parser.app().names();
  for (const std::string& name : names)
    if (std::ranges::find(own, name) == own.end())
      parser.refuse({name}, "is for MPI programs; this is a program of the actor API");
  parser.refuse({"-np"}, "is for MPI programs; this is a program of the actor API");
}

int check_actors(const Arguments& arguments, const std::vector<std::string>& names) {
  ActorCheckOptions options;
  options.bounds = app::default_bounds();
  options.bounds.grace_executions = grace_executions;
  Options parser("check", "[options] PROGRAM [ARGS...]",
                 "Explores the orders in which the actors of a program can act, and checks how each ends.",
                 "rehearse check ./philosophers");
  declare(parser.app(), options);
  refuse_options_for_mpi(parser, names);
  if (const auto status = parser.parse_with_program(arguments)) return *status;
  if (auto done = check_conflicts(options.formats, options.json); !done)
    return report_error({"check: " + done.error().text});
  auto selection = read_selection(options.selected);
  if (!selection) return report_error({"check: " + selection.error().text});
  auto strategy = strategy_of(options, parser.app());
  if (!strategy) return report_error({"check: " + strategy.error().text});
  const Arguments& words = parser.program();
  app::ActorCheckRequest request;
  request.path = find_program(words[0]).value();
  request.program = words[0];
  request.arguments = {words.begin() + 1, words.end()};
  request.strategy = std::move(strategy.value());
  request.bounds = options.bounds;
  request.selection = std::move(selection.value());
  request.warnings_as_errors = options.selected.warnings_as_errors;
  if (const auto read = read_state_options(options.states, request); !read)
    return report_error({"check: " + read.error().text});
  request.counterexample = options.counterexample == "-" ? "/dev/stdout" : options.counterexample;
  request.minimise_seconds = options.minimise_seconds;
  const auto report = check(options, request);
  if (!report) return report_error({"check: " + report.error().text, report.error().is_inconclusive});
  if (!options.quiet && !report.value().counterexample.empty())
    std::cerr << "counter-example: " << report.value().counterexample << " (rehearse explain, rehearse replay)\n";
  if (!options.json.empty())
    if (const auto written = write_json(options.json, to_json(report.value())); !written)
      return report_error({"check: --json: " + written.error().text});
  if (const auto written = write(options.formats, report.value()); !written)
    return report_error({"check: " + written.error().text});
  if (!options.page.empty())
    if (const auto written = write_actor_check_page(options.page, report.value(), request); !written)
      return report_error({"check: --report: " + written.error().text});
  return exit_status_of(app::answer_of(report.value().verdict));
}

}  // namespace rehearse::cli
