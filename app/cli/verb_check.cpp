// SPDX-License-Identifier: MIT
//
// rehearse check: every legal execution of a program, judged.
#include <sys/socket.h>

#include <csignal>
#include <iostream>
#include <optional>
#include <set>

#include "app/check.hpp"
#include "app/cli/actor_verbs.hpp"
#include "app/cli/check_options.hpp"
#include "app/cli/interrupt.hpp"
#include "app/cli/launcher.hpp"
#include "app/cli/message.hpp"
#include "app/cli/progress_line.hpp"
#include "app/cli/read_job.hpp"
#include "app/cli/report/check_page.hpp"
#include "app/cli/report/check_text.hpp"
#include "app/cli/report/machine_formats.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/verb_options.hpp"
#include "app/cli/verbs.hpp"
#include "app/distribution.hpp"
#include "app/selected_checks.hpp"
#include "app/supervisor.hpp"
#include "simcore/support/format.hpp"
#include "trace/format.hpp"

namespace rehearse::cli {
namespace {

// The verdict and all findings.
void print_verdict(const CheckOptions& options, const app::CheckReport& report) {
  if (options.quiet) return;
  for (const std::string& left_out : report.hints_left_out) std::cerr << left_out << '\n';
  if (!print_annotations(options.formats, report))
    std::cerr << verdict_line(report) << '\n'
              << other_findings(report) << mergeable_histories(report) << predicted_times(report);
}

// Information about the findings.
void print_rest(const CheckOptions& options, const app::CheckReport& report) {
  if (options.quiet) return;
  std::cerr << fewer_ranks(report);
  if (!report.counterexample.empty())
    std::cerr << "counter-example: " << report.counterexample << " (rehearse explain, rehearse replay)\n";
  std::cerr << predicted_failures(report);
  if (!options.proof.empty()) std::cerr << proof_file(report);
  if (!report.saved_to.empty()) std::cerr << "remaining work: " << report.saved_to << " (rehearse check --resume)\n";
}

// Writes the requested files; returns the exit status.
int conclude(const CheckOptions& options, const app::CheckRequest& request, const app::CheckReport& report) {
  print_rest(options, report);
  if (!options.json.empty()) {
    const Result<void> written = write_json(options.json, to_json(report));
    if (!written) return report_error({"check: --json: " + written.error().text});
  }
  const Result<void> written = write(options.formats, report);
  if (!written) return report_error({"check: " + written.error().text});
  if (!options.page.empty()) {
    const Result<void> written = write_check_page(options.page, report, request);
    if (!written) return report_error({"check: --report: " + written.error().text});
  }
  return exit_status_of(app::answer_of(report.verdict));
}

std::string distribution_lines(const app::Meeting& meeting, const std::vector<mc::Helper>& helpers) {
  std::set<std::string> machines{""};
  for (const mc::Helper& helper : helpers) machines.insert(helper.machine);
  const std::size_t workers = helpers.size() + meeting.workers, missing = app::helpers_wanted(meeting) - helpers.size();
  std::string text = fmt::format("rehearse: {} worker{} on {} machine{} explore{}\n", workers, workers == 1 ? "" : "s",
                                 machines.size(), machines.size() == 1 ? "" : "s", workers == 1 ? "s" : "");
  if (missing == 0) return text;
  return text + fmt::format("rehearse: warning: {} worker{} did not connect within {:g} seconds; all processes must "
                            "start in the same shared folder and reach each other by TCP\n",
                            missing, missing == 1 ? "" : "s", meeting.seconds);
}

int check(const CheckOptions& options, const app::CheckRequest& request) {
  std::optional<Interrupt> interrupt(std::in_place);
  std::optional<ProgressLine> progress(std::in_place, !options.quiet);
  app::CheckHooks hooks;
  hooks.stop = interrupt->stop();
  hooks.progress = [&](const mc::Progress& now) { progress->show(now); };
  hooks.explored = [&] {
    progress.reset();
    interrupt.reset();
  };
  hooks.judged = [&](const app::CheckReport& report) { print_verdict(options, report); };
  auto report = app::check(request, hooks);
  progress.reset();
  if (!report) return report_error(of_verb("check", report.error()));
  return conclude(options, request, report.value());
}

int report_death(const CheckOptions& options, const app::CheckRequest& request, const std::string& how) {
  const app::CheckReport report = app::report_of_death(request, how);
  print_verdict(options, report);
  return conclude(options, request, report);
}

// The exploring process may end with the program that it checks: then other processes try again.
int check_isolated(const CheckOptions& options, app::CheckRequest& request) {
  const app::Ending first = app::run_isolated([&] { return check(options, request); });
  if (first.status) return *first.status;
  if (!options.quiet)
    std::cerr << "rehearse: the exploring process ended " << first.how << "; other processes explore again\n";
  request.strategy.apart = true;
  request.earlier_death = first.how;
  request.helpers.clear();
  const app::Ending second = app::run_isolated([&] { return check(options, request); });
  return second.status ? *second.status : report_death(options, request, second.how);
}

// One of the processes that a launcher started (--distributed).
int check_distributed(const CheckOptions& options, app::CheckRequest& request) {
  auto process = launched_process();
  if (!process) return report_error({"check: --distributed: " + process.error().text});
  forget_launcher();
  auto identity = app::identity_of(request);
  if (!identity) return report_error({"check: " + identity.error().text});
  const std::uint64_t workers = std::uint64_t{process.value().processes} * request.strategy.jobs;
  if (workers > mc::jobs_max)
    return report_error({fmt::format("check: --distributed: {} workers (processes times --jobs); accepted: at most {}",
                                     workers, mc::jobs_max)});
  const app::Meeting meeting{process.value(), std::move(identity.value()), request.strategy.jobs,
                             options.distributed_wait};
  if (process.value().number > 0) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);  // it ends with the first process
    auto connections = app::join(meeting);
    if (!connections) return report_error({"check: --distributed: " + connections.error().text});
    const Result<void> done = app::help(request, connections.value());
    return done ? 0 : report_error(of_verb("check", done.error()));
  }
  const auto helpers = [&] {
    const Interrupt interrupt;
    return app::await_helpers(meeting, interrupt.stop());
  }();
  if (!helpers) return report_error({"check: --distributed: " + helpers.error().text});
  request.helpers = helpers.value();
  if (!options.quiet) std::cerr << distribution_lines(meeting, request.helpers);
  const int status = check_isolated(options, request);
  for (const mc::Helper& helper : helpers.value()) shutdown(helper.descriptor, SHUT_RDWR);
  return status;
}

}  // namespace

int run_check(const Arguments& arguments) {
  CheckOptions options;
  Options parser("check", "-n N [options] PROGRAM [ARGS...] [: -n M PROGRAM [ARGS...]]...",
                 "Explores every class of legal executions of an MPI program and checks how each ends.",
                 "rehearse check -n 4 ./ring");
  declare(parser.app(), options);
  parser.refuse({"--matching"});
  parser.refuse({"--sample-as", "--sample-error", "--sample-most", "--sample-scope", "--sample-file", "--sample-model",
                 "--sample-function"},
                "is only for rehearse run: sampled code is not executed, so check could not verify anything; without "
                "it, check executes all code");
  parser.refuse({"--fold-above", "--fold-within", "--fold-keep", "--no-fold"},
                "is only for rehearse run: ranks whose memory is folded read the data of others, so check could not "
                "verify anything; in check, each rank has memory of its own");
  if (is_of_actors(parser.program_in(arguments))) return check_actors(arguments, parser.app().names());
  if (const auto status = parser.parse_with_program(arguments)) return *status;
  if (const Result<void> done = complete(options, parser.app()); !done)
    return report_error({"check: " + done.error().text});

  const std::string& program = parser.program()[0];
  if (trace::is_surely_trace(program))
    return report_error({program + ": this is a trace; use rehearse trace check --all-orders " + program});
  auto job = read_job(parser.program(), options.ranks);
  if (!job) return report_error(job.error());
  options.ranks = job.value().ranks;
  if (!job.value().others.empty() && !options.try_ranks.empty())
    return report_error({"check: --try-ranks is for one program, not several (':')"});
  auto nodes = read_nodes(options, options.ranks);
  if (!nodes) return report_error({"check: " + nodes.error().text});
  job.value().nodes = std::move(nodes.value());
  app::CheckRequest request = request_of(options, std::move(job.value()), parser.program()[0]);
  return options.distributed ? check_distributed(options, request) : check_isolated(options, request);
}

}  // namespace rehearse::cli
