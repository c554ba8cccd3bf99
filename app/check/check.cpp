// SPDX-License-Identifier: MIT
//
// From a request to a report: the exploration, and the work on its findings.
#include "app/check.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "app/check/exploration.hpp"
#include "app/check/exploration_file.hpp"
#include "app/check/needed_buffering.hpp"
#include "app/check/needless_barriers.hpp"
#include "app/check/window_objects.hpp"
#include "app/failure_times.hpp"
#include "app/fewer_ranks.hpp"
#include "app/investigation.hpp"
#include "app/output_file.hpp"
#include "app/predict/prediction.hpp"
#include "app/replay/untimed_replay.hpp"
#include "app/selected_checks.hpp"
#include "app/wording.hpp"
#include "smpi/page_merging.hpp"

namespace rehearse::app {
namespace {

constexpr double seconds_per_try = 5;  // with fewer ranks, or without a barrier
constexpr double seconds_of_buffering = 60;
constexpr const char* assumption_of_weak_fairness =
    "a rank, message or request that can go on all the time goes on at last (--fair weak)";

// The file of a proof: what it is about, as remarks, and the proof itself.
Result<void> write_proof(const CheckRequest& request, const std::string& proof, CheckReport& report) {
  if (request.proof.empty() || proof.empty()) return {};
  const Result<void> written = write_file(request.proof, [&](std::ostream& out) {
    out << "rehearse-proof 1\n# " << std::filesystem::path(request.program).filename().string();
    for (std::string argument : request.job.arguments) {
      std::ranges::replace_if(
          argument, [](char letter) { return letter == '\n' || letter == '\r'; }, ' ');
      out << ' ' << argument;
    }
    out << "\n# " << request.job.ranks << " ranks; buffering and collectives:";
    for (const Policy& policy : request.semantics.policies) out << ' ' << to_text(policy) << ';';
    out << '\n' << proof;
  });
  if (!written) return Error{"--proof: " + written.error().text};
  report.proof = request.proof;
  return {};
}

// The common part of the counter-examples of all its findings.
Counterexample shared_of(const CheckRequest& request) {
  const auto absolute = [](const std::string& path) { return std::filesystem::absolute(path).lexically_normal(); };
  Counterexample shared;
  shared.program = absolute(request.job.path);
  shared.arguments = request.job.arguments;
  shared.others = request.job.others;
  for (Job::Further& other : shared.others) other.path = absolute(other.path);
  shared.nodes = request.job.nodes;
  shared.folder = std::filesystem::current_path();
  shared.ranks = request.job.ranks;
  shared.cancelled_sends = request.job.cancels.places;
  shared.window_objects = request.job.window_objects;
  shared.groups = request.job.starts.groups;
  shared.buffers = request.job.buffers;
  shared.failures = request.job.failures.chosen;
  shared.polls = request.semantics.polls;
  shared.platform = request.platform;
  shared.time_bound = request.time_bound;
  if (request.predict_on) shared.compute = request.predict_on->compute;
  return shared;
}

// Adds the findings of the search for executions that never end; if it has none, its reasons.
void take_endless(RankStates& states, CheckReport& report) {
  for (Counterexample& lasso : states.lassos) {
    report.verdict.findings.push_back(lasso.finding);
    report.lassos.push_back(std::move(lasso));
  }
  if (!report.lassos.empty() || report.verdict.exhaustive) return;
  const std::string why = states.reasons.empty() ? "in none of the states that were compared" : list_of(states.reasons);
  report.verdict.reasons.push_back("an execution is long, and no state of all ranks that comes again was found (" +
                                   why + ")");
}

// The steps of an execution that does not end; null: the finding is of another kind.
const Counterexample* lasso_of(const Finding& finding, const CheckReport& report) {
  const auto is_of_it = [&](const Counterexample& lasso) {
    return lasso.finding.id == finding.id && lasso.finding.message == finding.message;
  };
  const auto found = std::ranges::find_if(report.lassos, is_of_it);
  return found == report.lassos.end() ? nullptr : &*found;
}

// Writes a counter-example that does not end: it is not improved.
Result<void> keep_lasso(const CheckRequest& request, const Counterexample& lasso, Counterexample& best) {
  if (!lasso.loop) return {};  // no execution shows the finding
  best.steps = lasso.steps;
  best.loop = lasso.loop;
  best.operations = lasso.operations;
  best.buffers = without_pending(best.buffers);  // reports are operations, and the schedule has numbers of operations
  const Result<void> written = write_counterexample(request.counterexample, best);
  return written ? Result<void>() : Error{"--counterexample: " + written.error().text};
}

// A finding in a program that is not deterministic may have happened only once: an error that its schedule does not
// reproduce becomes a reason instead.
void leave_out_unrepeatable(const CheckRequest& request, CheckReport& report) {
  const auto strays = [](const std::string& reason) { return reason.find("not deterministic") != std::string::npos; };
  if (std::ranges::none_of(report.verdict.reasons, strays)) return;
  std::erase_if(report.verdict.findings, [&](const Finding& finding) {
    if (finding.severity != Severity::error || finding.id == finding_ids::time_bound) return false;
    if (lasso_of(finding, report) != nullptr) return false;  // it was taken twice
    const Counterexample again = counterexample_of(finding, report, request);
    if (happens_without_time(again, request.bounds.max_step_seconds)) return false;
    report.verdict.reasons.push_back("a finding could not be repeated (" + finding.id.text() + ": " + finding.message +
                                     ")");
    return true;
  });
}

// Takes the reports of barriers out of the findings, and adds hints to a verified verdict.
void add_barrier_hints(const CheckRequest& request, CheckReport& report) {
  if (!request.needless_barriers) return;
  const BarriersSeen seen = take_barriers(report.verdict.findings);
  if (answer_of(report.verdict) != Answer::verified) return;
  BarrierHints hints = needless_barriers(request.job, judged_options(request), judge_of(request.selection),
                                         report.verdict, seen, seconds_per_try);
  if (!hints.left_out.empty()) report.hints_left_out.push_back(std::move(hints.left_out));
  for (Finding& hint : request.selection.reported(std::move(hints.hints)))
    report.verdict.findings.push_back(std::move(hint));
}

void add_buffering_hint(const CheckRequest& request, CheckReport& report) {
  if (!request.needed_buffering) return;
  BufferingHints hints = needed_buffering(request.job, judged_options(request), report.verdict, seconds_of_buffering);
  if (!hints.left_out.empty()) report.hints_left_out.push_back(std::move(hints.left_out));
  for (Finding& hint : request.selection.reported(std::move(hints.hints)))
    report.verdict.findings.push_back(std::move(hint));
}

// Adds the assumptions of a verdict about a time bound, or the reasons why it is open. Without computation a predicted
// time is only a lower bound: a time above --time-bound is a violation, and a time below it proves nothing.
void judge_predictions(const CheckRequest& request, CheckReport& report) {
  if (!request.time_bound) return;
  mc::Verdict& verdict = report.verdict;
  const auto leave_open = [&verdict](std::string reason) {
    verdict.exhaustive = false;
    verdict.reasons.push_back(std::move(reason));
  };
  if (!report.compute.is_counted()) leave_open("the time bound was judged without computation (--compute none)");
  else verdict.assumptions.push_back(describe(report.compute));
  if (verdict.costs && verdict.costs->executions == 0)
    leave_open("no execution comes to its end on " + report.platform + " as it was explored (--time-bound)");
}

// The policy under which the schedule of the first error leads to it. Empties the list of findings that happen under
// all policies.
Policy take_policies(CheckReport& report) {
  const Finding* error = first_error(report.verdict);
  const Policy policy = error == nullptr ? report.policies.front() : policy_of(*error, report);
  for (Finding& finding : report.verdict.findings) {
    if (finding.policies.size() == report.policies.size()) finding.policies.clear();
  }
  return policy;
}

// Replaces the written counter-example by one that is easier to understand. False: there is none.
bool improve(const CheckRequest& request, Counterexample& counterexample) {
  if (request.minimise_seconds == 0) return false;
  InvestigationOptions options;
  options.seconds = request.minimise_seconds;
  options.max_step_seconds = request.bounds.max_step_seconds;
  options.max_memory = request.bounds.max_bytes;
  if (request.predict_on) options.machine = *request.predict_on;
  Counterexample better = investigated(counterexample, judged_options(request), judge_of(request.selection), options);
  if (!better.explanation || !write_counterexample(request.counterexample, better)) return false;
  counterexample = std::move(better);
  return true;
}

// Replaces the counter-example by one with the fewest ranks that show the finding.
void try_with_fewer_ranks(const CheckRequest& request, Counterexample& counterexample, CheckReport& report) {
  if (request.fewer_ranks.empty()) return;
  FewerRanks fewer = try_fewer_ranks(counterexample, request.fewer_ranks, judged_options(request),
                                     judge_of(request.selection), seconds_per_try);
  FewerRanksReport& result = report.fewer_ranks.emplace();
  result.tried = std::move(fewer.tried);
  if (fewer.found) result.shown_with = fewer.found->ranks;
  if (!fewer.found || !write_counterexample(request.counterexample, *fewer.found)) return;
  result.is_written = true;
  counterexample = std::move(*fewer.found);
}

// Predicts the dates of the findings on the platform.
void predict_failures(const CheckRequest& request, CheckReport& report) {
  const auto happens = [](const Finding& finding) { return finding.severity != Severity::note; };
  if (report.platform.empty() || std::ranges::none_of(report.verdict.findings, happens)) return;
  report.failure_times =
      failure_times(report, shared_of(request), *request.predict_on, request.bounds.max_step_seconds);
}

// Adds the date of its finding to the file of the counter-example. False: the file could not be written.
bool add_prediction(const CheckRequest& request, const CheckReport& report, Counterexample& counterexample) {
  if (report.failure_times.empty() || counterexample.ranks != report.ranks) return true;
  const auto first = static_cast<std::size_t>(first_error(report.verdict) - report.verdict.findings.data());
  const FailureTime& time = report.failure_times[first];
  if (!time.is_predicted) return true;
  counterexample.predicted = {report.platform, time.seconds};
  return bool(write_counterexample(request.counterexample, counterexample));
}

// Writes the counter-example of the first error, and improves it as far as possible.
Result<void> keep_counterexample(const CheckRequest& request, const Policy& policy, CheckReport& report) {
  Counterexample best = shared_of(request);
  auto hash = hash_of_programs(best);
  if (!hash) return hash.error();
  best.program_hash = hash.value();
  best.finding = *first_error(report.verdict);
  best.policy = policy;
  if (best.finding.id != finding_ids::time_bound) best.time_bound.reset();
  if (const Counterexample* lasso = lasso_of(best.finding, report)) {
    if (const auto kept = keep_lasso(request, *lasso, best); !kept) return kept.error();
    if (lasso->loop) report.counterexample = request.counterexample;
    return {};
  }
  const Result<void> written = write_counterexample(request.counterexample, best);  // kept if none is better
  if (!written) return Error{"--counterexample: " + written.error().text};
  try_with_fewer_ranks(request, best, report);
  // A reported time is the time of the execution that was found.
  if (improve(request, best) && best.ranks == request.job.ranks && !best.time_bound)
    first_error(report.verdict)->witness = best.finding.witness;
  predict_failures(request, report);
  if (!add_prediction(request, report, best)) return Error{"--counterexample: cannot be written"};
  report.counterexample = request.counterexample;
  return {};
}

CheckReport empty_report(const CheckRequest& request) {
  CheckReport report;
  report.program = request.program.empty() ? request.job.path : request.program;
  report.ranks = request.job.ranks;
  report.policies = request.semantics.policies;
  return report;
}

}  // namespace

Counterexample counterexample_of(const Finding& finding, const CheckReport& report, const CheckRequest& request) {
  return counterexample_of(finding, report, shared_of(request));
}

Result<std::string> identity_of(const CheckRequest& request) {
  auto identity = exploration_identity(request.job, request.semantics, request.bounds);
  if (!identity) return identity.error();
  identity.value() += "selection: " + request.selection.identity() + "\n";
  if (request.predict_on) identity.value() += prediction_identity(*request.predict_on, request.time_bound);
  return identity;
}

namespace {

// Searches the states of all ranks instead of executions.
Result<CheckReport> check_formulas(const CheckRequest& request, const CheckHooks& hooks) {
  const auto begin = std::chrono::steady_clock::now();
  auto states = search_formulas(request, hooks.stop);
  if (hooks.explored) hooks.explored();
  if (!states) return Error{"--ltl: " + states.error().text, states.error().is_inconclusive};
  CheckReport report = empty_report(request);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const bool is_fair = request.states.fairness == mc::Fairness::weak;
  report.states = StatesReport{{}, is_fair, states.value().states, states.value().steps};
  for (const mc::NamedFormula& formula : request.states.formulas) report.states->formulas.push_back(formula.text);
  report.verdict.exhaustive = states.value().reasons.empty();
  report.verdict.reasons = states.value().reasons;
  report.verdict.assumptions = states.value().assumptions;
  if (is_fair) report.verdict.assumptions.emplace_back(assumption_of_weak_fairness);
  if (const std::string left_out = request.selection.describe(); !left_out.empty())
    report.verdict.assumptions.push_back(left_out);
  for (Counterexample& lasso : states.value().lassos) {
    report.verdict.findings.push_back(lasso.finding);
    report.lassos.push_back(std::move(lasso));
  }
  const Policy policy = take_policies(report);
  if (hooks.judged) hooks.judged(report);
  if (first_error(report.verdict) == nullptr || request.counterexample.empty()) return report;
  if (auto kept = keep_counterexample(request, policy, report); !kept) return kept.error();
  return report;
}

}  // namespace

Result<CheckReport> check(const CheckRequest& asked, const CheckHooks& hooks) {
  CheckRequest request = asked;
  if (std::ranges::any_of(request.semantics.policies, &Policy::is_mixed) &&
      !mc::supports_mixed_buffering(request.strategy))
    return Error{"check: --buffering mixed does not work with --reduction none and odpor, and with --search predict"};
  if (request.merges_pages)
    if (const Result<void> merged = smpi::merge_by_kernel(); !merged)
      return Error{"check: --merge-pages: " + merged.error().text};
  if (!request.states.formulas.empty()) return check_formulas(request, hooks);
  auto explored = explore_windows(request, hooks);  // the program is unloaded: findings may be replayed
  if (!explored) return explored.error();
  CheckReport report = empty_report(request);
  report.verdict = std::move(explored.value().verdict);
  report.seconds = explored.value().seconds;
  report.branchings = std::move(explored.value().branchings);
  report.platform = std::move(explored.value().platform);
  const std::string remaining = std::move(explored.value().remaining), proof = std::move(explored.value().proof);
  if (request.predict_on) report.compute = request.predict_on->compute;
  judge_predictions(request, report);
  if (explored.value().endless) take_endless(*explored.value().endless, report);
  leave_out_unrepeatable(request, report);
  add_barrier_hints(request, report);
  add_buffering_hint(request, report);
  if (!request.earlier_death.empty() && report.verdict.exhaustive) {
    report.verdict.exhaustive = false;
    report.verdict.reasons.push_back("a process that explored ended " + request.earlier_death +
                                     ", and another one did not");
  }
  if (request.warnings_as_errors) take_warnings_for_errors(report.verdict.findings);
  const Policy policy = take_policies(report);
  if (hooks.judged) hooks.judged(report);
  if (first_error(report.verdict) == nullptr || request.counterexample.empty()) predict_failures(request, report);
  else if (auto kept = keep_counterexample(request, policy, report); !kept) return kept.error();
  if (auto written = write_proof(request, proof, report); !written) return written.error();
  if (request.save.empty() || remaining.empty()) return report;
  const Result<void> written = write_exploration(request.save, remaining);
  if (!written) return Error{"--save: " + written.error().text};
  report.saved_to = request.save;
  return report;
}

CheckReport report_of_death(const CheckRequest& request, const std::string& how) {
  CheckReport report = empty_report(request);
  report.verdict.exhaustive = false;
  report.verdict.reasons = {"the process that explores ended " + how + ", twice"};
  return report;
}

}  // namespace rehearse::app
