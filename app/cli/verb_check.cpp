// SPDX-License-Identifier: MIT
//
// rehearse check: every legal execution of a program, judged.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>

#include "app/cli/check_options.hpp"
#include "app/cli/interrupt.hpp"
#include "app/cli/message.hpp"
#include "app/cli/progress_line.hpp"
#include "app/cli/read_job.hpp"
#include "app/cli/recording/picture_options.hpp"
#include "app/cli/report/check_page.hpp"
#include "app/cli/report/check_text.hpp"
#include "app/cli/report/machine_formats.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/selection_options.hpp"
#include "app/cli/verb_options.hpp"
#include "app/cli/verbs.hpp"
#include "app/counterexample.hpp"
#include "app/exit_status.hpp"
#include "app/exploration_file.hpp"
#include "app/failure_times.hpp"
#include "app/fewer_ranks.hpp"
#include "app/investigation.hpp"
#include "app/job.hpp"
#include "app/launch.hpp"
#include "app/likewise.hpp"
#include "app/needless_barriers.hpp"
#include "app/policies.hpp"
#include "app/prediction.hpp"
#include "app/selected_checks.hpp"
#include "app/supervisor.hpp"
#include "app/untimed_replay.hpp"
#include "app/wording.hpp"
#include "mc/saved.hpp"
#include "properties/differences.hpp"

namespace rehearse::cli {
namespace {

constexpr double seconds_per_try = 5;  // with fewer ranks, or without a barrier

// Of an exploration that goes on, or may: what it is of, and what is left of it.
struct Unfinished {
  std::string identity, left;
};

// As long as the options live.
Judge judge_of(const CheckOptions& options) {
  return [&options](const Outcome& outcome, const Describe& describe) {
    return options.selection.judge(outcome, describe);
  };
}

// What is predicted stops with the exploration, and a rank that goes on for too long stops there, too.
void limit_predictions(app::Prediction& prediction, mc::ExploreOptions& how) {
  how.hooks.prepare = [&prediction, before = how.hooks.prepare,
                       seconds = how.bounds.max_step_seconds](const StopToken& stop) {
    before(stop);
    prediction.limit_steps({seconds, UINT64_MAX, stop});
  };
}

// Hooks that may be called for as long as the options live.
void add_reporters(CheckOptions& options) {
  options.explore.hooks.report_difference = [&options](const Difference& difference) {
    return options.selection.told(properties::tell_difference(difference));
  };
  options.explore.hooks.report_state = [&options](const GlobalState& state) {
    return options.selection.told(properties::tell_state(state));
  };
}

app::CheckReport explore(Program& program, const CheckOptions& options, Unfinished& unfinished,
                         app::Prediction* prediction) {
  const Interrupt interrupt;
  ProgressLine progress(!options.quiet);
  mc::ExploreOptions how = options.explore;  // with what ends here
  app::limit_steps_of(program, how);
  if (prediction != nullptr) {
    how.hooks.price = std::ref(*prediction);
    limit_predictions(*prediction, how);
  }
  how.hooks.caveats = [&program] { return smpi::caveats(program); };
  how.hooks.stop = interrupt.stop();
  how.hooks.progress = [&](const mc::Progress& now) { progress.show(now); };

  const auto begin = std::chrono::steady_clock::now();
  app::CheckReport report;
  const Judge judge = judge_of(options);
  const std::string& identity = unfinished.identity;
  if (!options.resume.empty()) {
    auto verdict = mc::go_on(program, how, judge, identity, unfinished.left);
    REHEARSE_ASSERT(bool(verdict), "what was just read is not what is left of an exploration");
    report.verdict = std::move(verdict.value());
  } else if (!options.save.empty()) {
    report.verdict = mc::explore(program, how, judge, identity, unfinished.left);
  } else {
    report.verdict = mc::explore(program, how, judge);
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  for (std::string& reason : report.verdict.reasons) reason = app::of_ranks(reason);
  app::fold_likewise(report.verdict.findings);
  if (const std::string left_out = options.selection.describe(); !left_out.empty())
    report.verdict.assumptions.push_back(left_out);
  report.policies = options.explore.semantics.policies;
  report.ranks = options.ranks;
  return report;
}

Result<Unfinished> read_unfinished(const CheckOptions& options, const app::Job& job) {
  Unfinished unfinished;
  if (options.save.empty() && options.resume.empty()) return unfinished;
  auto identity = app::exploration_identity(job, options.explore);
  if (!identity) return identity.error();
  unfinished.identity = identity.value() + "told: " + options.selection.identity() + "\n";
  if (options.predicts()) unfinished.identity += prediction_identity(options);
  if (options.resume.empty()) return unfinished;
  auto left = app::read_exploration(options.resume, unfinished.identity);
  if (!left) return left.error();
  unfinished.left = std::move(left.value());
  return unfinished;
}

// The policy under which the schedule of the finding leads to it; findings that happen under all lose their list.
mc::Policy take_policies(app::CheckReport& report) {
  const Finding* error = app::first_error(report.verdict);
  const mc::Policy policy = error == nullptr ? report.policies.front() : policy_of(*error, report);
  for (Finding& finding : report.verdict.findings) {
    if (finding.policies.size() == report.policies.size()) finding.policies.clear();
  }
  return policy;
}

struct Task {
  app::Job job;
  std::string name;  // of the first program, as the user wrote it
  Unfinished unfinished;
};

// What counter-examples of all its findings share.
app::Counterexample counterexample_of(const CheckOptions& options, const Task& task) {
  app::Counterexample result;
  result.program = std::filesystem::absolute(task.job.path).lexically_normal();
  result.arguments = task.job.arguments;
  result.others = task.job.others;
  for (app::Job::Further& other : result.others)
    other.path = std::filesystem::absolute(other.path).lexically_normal();
  result.nodes = task.job.nodes;
  result.folder = std::filesystem::current_path();
  result.ranks = task.job.ranks;
  result.buffers = task.job.buffers;
  result.polls = options.explore.semantics.polls;
  result.platform = options.machine.on;
  result.time_bound = options.time_bound;
  if (options.predicts()) result.compute = options.machine.compute;
  return result;
}

// What was found in a program that is not deterministic may be what happened once: an error that its schedule does not
// lead to again is a reason instead.
void leave_out_unrepeatable(const CheckOptions& options, const Task& task, app::CheckReport& report) {
  const auto strays = [](const std::string& reason) { return reason.find("not deterministic") != std::string::npos; };
  if (std::ranges::none_of(report.verdict.reasons, strays)) return;
  app::Counterexample again = counterexample_of(options, task);
  std::erase_if(report.verdict.findings, [&](const Finding& finding) {
    if (finding.severity != Severity::error || finding.id == "time.bound") return false;
    again.finding = finding;
    again.policy = policy_of(finding, report);
    if (app::happens_without_time(again, options.explore.bounds.max_step_seconds)) return false;
    report.verdict.reasons.push_back("what was found once could not be repeated (" + finding.id + ": " +
                                     finding.message + ")");
    return true;
  });
}

// A counter-example that is easier to understand takes the place of the one that was written. False: there is none.
bool improve(const CheckOptions& options, app::Counterexample& counterexample) {
  if (options.minimise_seconds == 0) return false;
  const Judge judge = judge_of(options);
  app::Counterexample better =
      investigated(counterexample, options.explore, judge,
                   {options.minimise_seconds, options.explore.bounds.max_step_seconds, options.explore.bounds.max_bytes,
                    options.machine});
  if (!better.told || !app::write_counterexample(options.counterexample, better).empty()) return false;
  counterexample = std::move(better);
  return true;
}

// The counter-example with as few ranks as show it takes its place; what is told of that, as JSON. Null: not asked for.
app::Json with_fewer_ranks(const CheckOptions& options, app::Counterexample& counterexample) {
  if (options.fewer_ranks.empty()) return {};
  const Judge judge = judge_of(options);
  app::FewerRanks fewer = try_fewer_ranks(counterexample, options.fewer_ranks, options.explore, judge, seconds_per_try);
  if (!options.quiet) std::cerr << text_of(fewer, counterexample) << '\n';
  app::Json told = {{"tried", fewer.tried}, {"found", nullptr}};
  if (!fewer.found || !app::write_counterexample(options.counterexample, *fewer.found).empty()) return told;
  counterexample = std::move(*fewer.found);
  told["found"] = counterexample.ranks;
  return told;
}

// When findings happen on the platform.
void predict_failures(const CheckOptions& options, const app::Counterexample& shared, app::CheckReport& report) {
  const auto happens = [](const Finding& finding) { return finding.severity != Severity::note; };
  if (report.platform.empty() || std::ranges::none_of(report.verdict.findings, happens)) return;
  report.failure_times = failure_times(report, shared, options.machine, options.explore.bounds.max_step_seconds);
}

// When the finding of the counter-example happens there, into its file. False: that could not be written.
bool add_prediction(const CheckOptions& options, const app::CheckReport& report, app::Counterexample& counterexample) {
  if (report.failure_times.empty() || counterexample.ranks != report.ranks) return true;
  const auto first = static_cast<std::size_t>(app::first_error(report.verdict) - report.verdict.findings.data());
  const app::FailureTime& time = report.failure_times[first];
  if (!time.is_predicted) return true;
  counterexample.predicted = {report.platform, time.seconds};
  return app::write_counterexample(options.counterexample, counterexample).empty();
}

// What is said and written of it, and the exit status. `left`: to be kept.
int conclude(const CheckOptions& options, const Task& task, app::CheckReport& report, const std::string& left) {
  report.program = task.name;
  report.ranks = options.ranks;
  if (options.told.warnings_as_errors) app::take_warnings_for_errors(report.verdict.findings);
  const mc::Policy policy = take_policies(report);
  const app::Counterexample shared = counterexample_of(options, task);
  if (!options.quiet && !say(options.formats, report))
    std::cerr << verdict_line(report) << '\n' << other_findings(report) << predicted_times(report);
  app::Json fewer;
  if (app::first_error(report.verdict) != nullptr) {
    app::Counterexample best = shared;
    auto hash = hash_of_programs(best);
    if (!hash) return report_error(hash.error());
    best.program_hash = hash.value();
    best.finding = *app::first_error(report.verdict);
    best.policy = policy;
    if (best.finding.id != "time.bound") best.time_bound.reset();
    const std::string fault =
        app::write_counterexample(options.counterexample, best);  // whatever becomes of a better one
    if (!fault.empty()) return report_error({"check: --counterexample: " + fault});
    fewer = with_fewer_ranks(options, best);
    // What was said of how long it takes is true of the execution that was found.
    if (improve(options, best) && best.ranks == options.ranks && !best.time_bound)
      app::first_error(report.verdict)->schedule = best.finding.schedule;
    predict_failures(options, shared, report);
    if (!add_prediction(options, report, best)) return report_error({"check: --counterexample: cannot be written"});
    if (!options.quiet) {
      std::cerr << "counter-example: " << options.counterexample << " (rehearse explain, rehearse replay)\n";
    }
  }
  if (app::first_error(report.verdict) == nullptr) predict_failures(options, shared, report);
  if (!options.quiet) std::cerr << predicted_failures(report);
  if (!options.save.empty() && !left.empty()) {
    const std::string fault = app::write_exploration(options.save, left);
    if (!fault.empty()) return report_error({"check: --save: " + fault});
    if (!options.quiet) std::cerr << "what is left: " << options.save << " (rehearse check --resume)\n";
  }
  if (!options.json.empty()) {
    app::Json document = to_json(report);
    if (!fewer.is_null()) document["fewer_ranks"] = fewer;
    const std::string fault = write_json(options.json, document);
    if (!fault.empty()) return report_error({"check: --json: " + fault});
  }
  const std::string unwritten = write(options.formats, report);
  if (!unwritten.empty()) return report_error({"check: " + unwritten});
  if (!options.page.empty()) {
    const app::MachineOptions machine = options.predicts() ? options.machine : app::MachineOptions{};
    const std::string fault = write_check_page(options.page, report, shared, machine);
    if (!fault.empty()) return report_error({"check: --report: " + fault});
  }
  return exit_status_of(app::answer_of(report.verdict));
}

// Hints, where all is well otherwise.
void add_barrier_hints(const CheckOptions& options, const Task& task, app::CheckReport& report) {
  if (!options.needless_barriers) return;
  const app::BarriersSeen seen = app::take_barriers(report.verdict.findings);
  if (app::answer_of(report.verdict) != app::Answer::verified) return;
  const Judge judge = judge_of(options);
  app::BarrierHints hints = needless_barriers(task.job, options.explore, judge, report.verdict, seen, seconds_per_try);
  if (!options.quiet && !hints.left_out.empty()) std::cerr << hints.left_out << '\n';
  for (Finding& hint : options.selection.told(std::move(hints.told)))
    report.verdict.findings.push_back(std::move(hint));
}

// What a verdict about a time bound rests on. Without computation a predicted time is no more than the least that an
// execution can take: one above the bound is too much, one below says nothing.
void judge_predictions(const CheckOptions& options, app::CheckReport& report) {
  if (!options.time_bound) return;
  mc::Verdict& verdict = report.verdict;
  const auto leave_open = [&verdict](std::string reason) {
    verdict.exhaustive = false;
    verdict.reasons.push_back(std::move(reason));
  };
  const app::ComputeOptions& compute = options.machine.compute;
  if (!compute.is_counted()) leave_open("the time bound was judged without computation (--compute none)");
  else verdict.assumptions.push_back(app::describe(compute));
  if (verdict.costs && verdict.costs->executions == 0)
    leave_open("no execution comes to its end on " + report.platform + " as it was explored (--time-bound)");
}

// `death`: how the process ended that tried it before; empty: this is the first.
int check(const CheckOptions& options, const Task& task, const std::string& death) {
  auto program =
      app::launch_to_explore(task.job, {.tells = options.needless_barriers, .left_out = 0});
  if (!program) return report_error(program.error());
  std::unique_ptr<app::Prediction> prediction;
  if (options.predicts()) {
    auto made = app::Prediction::make(task.job, options.machine, options.time_bound);
    if (!made) return report_error({"check: " + made.error().text});
    prediction = std::move(made.value());
  }
  Unfinished unfinished = task.unfinished;
  app::CheckReport report = explore(*program.value(), options, unfinished, prediction.get());
  report.branchings = app::branching_places(*program.value(), report.verdict);
  if (prediction) {
    report.platform = prediction->platform();
    report.compute = options.machine.compute;
    judge_predictions(options, report);
  }
  prediction.reset();
  program.value().reset();  // findings may be replayed now
  leave_out_unrepeatable(options, task, report);
  add_barrier_hints(options, task, report);
  if (!death.empty() && report.verdict.exhaustive) {
    report.verdict.exhaustive = false;
    report.verdict.reasons.push_back("a process that explored ended " + death + ", and another one did not");
  }
  return conclude(options, task, report, unfinished.left);
}

int report_death(const CheckOptions& options, const Task& task, const std::string& how) {
  app::CheckReport report;
  report.policies = options.explore.semantics.policies;
  report.verdict.exhaustive = false;
  report.verdict.reasons = {"the process that explores ended " + how + ", twice"};
  return conclude(options, task, report, "");
}

}  // namespace

int run_check(const Arguments& arguments) {
  CheckOptions options;
  Options parser("check", "-n N [options] PROGRAM [ARGS...] [: -n M PROGRAM [ARGS...]]...",
                 "Visits every class of legal executions of an MPI program and judges how each ends.",
                 "rehearse check -n 4 ./ring");
  declare(parser.app(), options);
  parser.refuse({"--matching"});
  if (const auto status = parser.parse_with_program(arguments)) return *status;
  if (const std::string problem = complete(options, parser.app()); !problem.empty())
    return report_error({"check: " + problem});

  add_reporters(options);
  auto job = read_job(parser.program(), options.ranks);
  if (!job) return report_error(job.error());
  options.ranks = job.value().ranks;
  if (!job.value().others.empty() && !options.try_ranks.empty())
    return report_error({"check: --try-ranks is for one program, not several (':')"});
  job.value().buffers = app::buffer_checks(options.selection);
  auto nodes = read_nodes(options, options.ranks);
  if (!nodes) return report_error({"check: " + nodes.error().text});
  job.value().nodes = std::move(nodes.value());
  auto unfinished = read_unfinished(options, job.value());
  if (!unfinished) return report_error({"check: --resume: " + unfinished.error().text});
  const Task task{std::move(job.value()), parser.program()[0], std::move(unfinished.value())};
  const app::Ending first = app::run_apart([&] { return check(options, task, ""); });
  if (first.status) return *first.status;
  if (!options.quiet)
    std::cerr << "rehearse: the process that explored ended " << first.how << "; others explore it again\n";
  options.explore.strategy.apart = true;
  const Ending second = run_apart([&] { return check(options, task, first.how); });
  return second.status ? *second.status : report_death(options, task, second.how);
}

}  // namespace rehearse::cli
