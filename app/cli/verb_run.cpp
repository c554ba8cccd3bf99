// SPDX-License-Identifier: MIT
//
// rehearse run: runs a program in simulated time on a platform.
#include <algorithm>
#include <iostream>

#include "app/cli/date.hpp"
#include "app/cli/machine_options.hpp"
#include "app/cli/message.hpp"
#include "app/cli/rank_output.hpp"
#include "app/cli/read_job.hpp"
#include "app/cli/recording/picture_options.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/report/reported_once.hpp"
#include "app/cli/selection_options.hpp"
#include "app/cli/verb_options.hpp"
#include "app/cli/verbs.hpp"
#include "app/exit_status.hpp"
#include "app/finding_json.hpp"
#include "app/launch.hpp"
#include "app/machine.hpp"
#include "app/run.hpp"
#include "app/timed_run.hpp"
#include "app/wording.hpp"
#include "simcore/engine.hpp"

namespace rehearse::cli {
namespace {

struct RunOptions {
  std::uint32_t ranks = 0;
  app::RunRequest request;
  std::string json, date;
  PictureOptions pictures;
  SelectionOptions selected;
  bool label = false, quiet = false, verbose = false, no_summary = false;
};

void declare_message_costs(OptionSet& app, app::RunRequest& request) {
  const auto table = [&app](const char* name, SizeCost& target, const char* help) {
    app.add_option_function(
        name,
        [&target](const std::string& text) {
          auto cost = parse_size_cost(text);
          if (!cost) return cost.error().text;
          target = std::move(cost.value());
          return std::string();
        },
        help);
  };
  MessageCosts& costs = request.message_costs;
  table("--os", costs.send,
        "time that a rank spends in a blocking send, by message size: "
        "BYTES:SECONDS:SECONDS_PER_BYTE;...");
  table("--ois", costs.started_send, "time that a rank spends in a nonblocking send, in the same form");
  table("--or", costs.receive, "time that a rank spends in receiving an eager message, in the same form");
  app.add_option_function(
         "--handshake",
         [&request](const std::string& word) {
           request.handshake = word == "announced" ? Handshake::announced : Handshake::answered;
           return std::string();
         },
         "rendezvous of messages above --eager: answered (data wait for the receiver's answer) or announced "
         "(data leave when the receive is posted)")
      ->check(one_of({"answered", "announced"}));
}

void declare(OptionSet& app, RunOptions& options) {
  app::RunRequest& request = options.request;
  app.add_option("-n,--np", options.ranks, "number of ranks")->required()->check(whole_number(1, app::ranks_max));
  cli::declare(app, request.machine);
  app.add_option("--eager", request.eager_bytes, "largest message that is sent eagerly, in bytes")
      ->check(whole_number(0, UINT64_MAX));
  app.add_option("--reduction-flops", request.combine_flops_per_byte,
                 "cost of a reduction for the receiver, in flops per byte (default 1)")
      ->check(number_from_zero());
  declare_message_costs(app, request);
  app.add_option("--max-step-seconds", request.steps.seconds,
                 "report a rank that computes for more seconds than this without a call (default: no limit)")
      ->check(positive_number());
  app.add_option("--date", options.date,
                 "date at the start of the run: now, YYYY-MM-DD or YYYY-MM-DDThh:mm:ss in UTC (default "
                 "2001-09-09T01:46:40)");
  cli::declare(app, options.selected);
  app.add_flag("--discard-files", request.discard_files,
               "keep the files that ranks write in memory, and discard them at the end");
  app.add_flag("--label", options.label, "begin each line of output with its rank");
  app.add_option("--json", options.json, "file to write a report to, as JSON (-: standard output)");
  cli::declare(app, options.pictures);
  app.add_flag("--strict", request.strict,
               "report pending receives into one buffer as an error, as check does (default: warning)");
  app.add_flag("--quiet", options.quiet, "print nothing but the program's own output");
  app.add_flag("--no-summary", options.no_summary, "do not print the line with the simulated time at the end");
  app.add_flag("--verbose", options.verbose, "also print warnings");
}

app::Json report_of(const app::Machine& machine, const app::TimedRun& run, double wall_seconds) {
  app::Json json = {{"simulated_seconds", run.result.end.seconds()},
                    {"wall_seconds", wall_seconds},
                    {"platform", machine.platform.name()},
                    {"ranks", app::Json::array()},
                    {"findings", app::Json::array()}};
  for (std::uint32_t rank = 0; rank < run.result.actors.size(); ++rank) {
    const ActorResult& actor = run.result.actors[rank];
    const ActorOutcome& outcome = run.result.outcome.actors[rank];
    const bool ended = outcome.state == ActorOutcome::State::ended;
    json["ranks"].push_back({{"rank", rank},
                             {"host", machine.platform.host(actor.host).name},
                             {"exit", ended ? app::Json(outcome.exit_status) : app::Json(nullptr)},
                             {"compute_seconds", actor.compute_seconds},
                             {"mpi_seconds", actor.communication_seconds},
                             {"messages", actor.messages},
                             {"bytes", actor.bytes}});
  }
  for (const Finding& finding : run.findings) json["findings"].push_back(app::to_json(finding));
  return json;
}

int exit_status_of(const app::TimedRun& run) {
  if (std::ranges::find(run.findings, Severity::error, &Finding::severity) != run.findings.end()) {
    return app::exit_violation;
  }
  return run.unsupported.empty() ? app::exit_good : app::exit_inconclusive;
}

// The page without the pictures.
HtmlReport page_of(const RunOptions& options, const Subject& subject, const app::TimedRun& run) {
  HtmlReport page;
  page.verb = "run";
  page.program = subject.program;
  const int status = exit_status_of(run);
  page.verdict = status == app::exit_good ? "completed" : status == app::exit_violation ? "violation" : "inconclusive";
  if (status == app::exit_violation) page.headline = "The program has faults: see the findings.";
  else if (status == app::exit_good)
    page.headline = "The run ends without a finding, after " + app::in_seconds(run.result.end) + " of simulated time.";
  else
    page.headline = "The program needs calls or features that Rehearse does not support: " +
                    app::list_of(run.unsupported);
  page.facts = {{"ranks", app::with_commas(options.ranks)},
                {"platform",
                 subject.platform.name() + " (" + app::counted(subject.platform.hosts().size(), "host") + ")"},
                {"network", subject.network},
                {"computation", options.request.machine.compute.what},
                {"simulated time", app::in_seconds(run.result.end)}};
  for (const Finding& finding : run.findings) page.findings.push_back({finding, {}, ""});
  return page;
}

void print_text(const RunOptions& options, const std::string& program, const app::TimedRun& run) {
  for (const ReportedOnce& once : reported_once(run.findings)) {
    const Finding& finding = *once.finding;
    const bool is_error = finding.severity == Severity::error;
    if (!is_error && !options.verbose) continue;
    std::cerr << (is_error ? "violation" : app::name_of(finding.severity)) << ": " << app::describe(finding);
    if (!once.others.empty()) std::cerr << " " << once.likewise() << '\n';
  }
  for (const std::string& reason : run.unsupported)
    std::cerr << "inconclusive: " << reason << app::advice_on({reason}, program) << '\n';
}

// The last line of a completed run.
void print_summary(const RunOptions& options, const app::Machine& machine, const app::TimedRun& run) {
  const bool is_for_a_script = options.json == "-";
  if (options.quiet || options.no_summary || is_for_a_script || !run.unsupported.empty()) return;
  std::cerr << "rehearse: " << app::counted(options.ranks, "rank") << " took " << app::in_seconds(run.result.end)
            << " on " << machine.platform.name() << " (" << app::counted(machine.platform.hosts().size(), "host")
            << ", network " << machine.network << ", computation " << options.request.machine.compute.what << ")\n";
}

// Completes the request by combinations of options. Errors: the texts to print.
Result<void> complete_request(RunOptions& options, const Arguments& program) {
  app::RunRequest& request = options.request;
  auto selection = read_selection(options.selected);
  if (!selection) return Error{"run: " + selection.error().text};
  auto job = read_job(program, options.ranks);
  if (!job) return job.error();
  auto date = read_date(options.date);
  if (!date) return Error{"run: --date: " + date.error().text};
  request.job = std::move(job.value());
  request.selection = std::move(selection.value());
  request.warnings_as_errors = options.selected.warnings_as_errors;
  request.recorded = needed_for(options.pictures);
  if (date.value()) request.job.date_seconds = *date.value();
  options.ranks = request.job.ranks;
  return {};
}

}  // namespace

int run_run(const Arguments& arguments) {
  RunOptions options;
  Options parser("run", "-n N [options] PROGRAM [ARGS...] [: -n M PROGRAM [ARGS...]]...",
                 "Runs an MPI program in simulated time on a platform. The last line on standard error is the\n"
                 "simulated time.",
                 "rehearse run -n 4 --on cluster:4 ./ring");
  declare(parser.app(), options);
  parser.refuse({"--seed"});
  if (const auto status = parser.parse_with_program(arguments)) return *status;
  if (const auto done = complete_request(options, parser.program()); !done) return report_error(done.error());
  const app::RunRequest& request = options.request;
  Result<app::MachineRun> done = Error{};
  {
    RankOutput output(options.ranks, options.label, std::cout, std::cerr);
    done = app::run(request, &output);
  }
  if (!done) return report_error(done.error());
  const app::TimedRun& run = done.value().run;
  const app::Machine& machine = *done.value().machine;
  if (!options.quiet) print_text(options, request.job.path, run);
  if (!options.json.empty()) {
    const Result<void> written = write_json(options.json, report_of(machine, run, done.value().wall_seconds));
    if (!written) return report_error({"run: --json: " + written.error().text});
  }
  if (options.pictures.any()) {
    const Subject subject{parser.program()[0], machine.platform, machine.network};
    const Result<void> written =
        write_pictures(options.pictures, *run.recording, subject, page_of(options, subject, run));
    if (!written) return report_error({"run: " + written.error().text});
  }
  print_summary(options, machine, run);
  return exit_status_of(run);
}

}  // namespace rehearse::cli
