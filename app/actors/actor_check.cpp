// SPDX-License-Identifier: MIT
//
// From a request to a report.
#include "app/actor_check.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>

#include "app/actor_steps.hpp"
#include "app/counterexample.hpp"
#include "app/selected_checks.hpp"
#include "mc/explore.hpp"
#include "mc/investigate.hpp"
#include "simcore/remote_actor_program.hpp"

namespace rehearse::app {
namespace {

constexpr const char* assumption_of_dates = "no decision of an actor depends on the simulated date";

constexpr const char* assumption_of_weak_fairness =
    "an actor or event that can act all the time acts at last (--fair weak)";

Judge judge_of(RemoteActorProgram& program, const properties::Selection& selection) {
  return [&program, selection](const Outcome&, const Describe& describe) {
    describe(ActorId{0});  // the program stands at the end of this execution
    return selection.reported(judge_actors(program));
  };
}

// A schedule with fewer unusual decisions, if there is one. Nothing is lost if the time runs out.
void minimise(const ActorCheckRequest& request, RemoteActorProgram& program, const mc::ExploreOptions& how,
              Counterexample& counterexample) {
  if (request.minimise_seconds == 0) return;
  mc::InvestigateOptions limits;
  limits.max_seconds = request.minimise_seconds;
  auto cause = mc::investigate(program, how, {}, judge_of(program, request.selection), counterexample.finding, limits);
  if (!cause) return;
  counterexample.finding.witness = cause->finding.witness;
  counterexample.is_fewest = cause->is_fewest;
}

Result<void> keep_counterexample(const ActorCheckRequest& request, RemoteActorProgram& program,
                                 const mc::ExploreOptions& how, CheckReport& report) {
  Finding& error = *first_error(report.verdict);
  Counterexample counterexample = counterexample_of(request, error);
  auto hash = hash_of_programs(counterexample);
  if (!hash) return hash.error();
  counterexample.program_hash = hash.value();
  program.limit_steps(request.bounds.max_step_seconds, {});
  minimise(request, program, how, counterexample);
  counterexample.steps = walk(program, counterexample.finding.witness.schedule).steps;
  error.witness = counterexample.finding.witness;
  const Result<void> written = write_counterexample(request.counterexample, counterexample);
  if (!written) return Error{"--counterexample: " + written.error().text};
  report.counterexample = request.counterexample;
  return {};
}

CheckReport empty_report(const ActorCheckRequest& request) {
  CheckReport report;
  report.program = request.program;
  report.ranks = 1;
  report.is_of_actors = true;
  report.policies = mc::ExploreOptions{}.semantics.policies;
  return report;
}

void conclude(const ActorCheckRequest& request, const CheckHooks& hooks, bool reads_dates, CheckReport& report) {
  if (request.warnings_as_errors) take_warnings_for_errors(report.verdict.findings);
  if (reads_dates) report.verdict.assumptions.push_back(assumption_of_dates);
  if (const std::string left_out = request.selection.describe(); !left_out.empty())
    report.verdict.assumptions.push_back(left_out);
  if (hooks.judged) hooks.judged(report);
}

Result<void> keep_counterexample(const ActorCheckRequest& request, const StateSearch& search, CheckReport& report) {
  Finding* error = first_error(report.verdict);
  if (error == nullptr || request.counterexample.empty()) return {};
  const auto found = std::ranges::find_if(search.findings, [&](const StateFinding& each) {
    return each.finding.id == error->id && each.finding.message == error->message;
  });
  if (found->steps.empty() && found->finding.id == "property.value") return {};  // no execution shows it
  Counterexample counterexample = counterexample_of(request, *error);
  auto hash = hash_of_programs(counterexample);
  if (!hash) return hash.error();
  counterexample.program_hash = hash.value();
  counterexample.steps = found->steps;
  counterexample.loop = found->loop;
  const Result<void> written = write_counterexample(request.counterexample, counterexample);
  if (!written) return Error{"--counterexample: " + written.error().text};
  report.counterexample = request.counterexample;
  return {};
}

// Explores states. `finds_endless`: there is no formula, and executions that never end are errors.
Result<CheckReport> check_states(const ActorCheckRequest& request, const CheckHooks& hooks, bool finds_endless,
                                 std::chrono::steady_clock::time_point begin) {
  StateSearchRequest states;
  states.path = request.path;
  states.arguments = request.arguments;
  states.formulas = request.formulas;
  states.finds_endless = finds_endless;
  states.fairness = request.fairness;
  states.max_states = request.max_states;
  states.max_step_seconds = request.bounds.max_step_seconds;
  states.all_findings = request.bounds.all_findings;
  states.stop = hooks.stop.until(begin, request.bounds.max_seconds);
  states.is_wanted = [&](const Finding& finding) { return !request.selection.reported({finding}).empty(); };
  if (hooks.progress)
    states.progress = [&](std::uint64_t count) {
      hooks.progress({0, count, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), 0});
    };
  auto search = search_states(states);
  if (hooks.explored) hooks.explored();
  if (!search) return search.error();
  CheckReport report = empty_report(request);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  report.states = StatesReport{{}, request.fairness == mc::Fairness::weak, search.value().states, search.value().steps};
  for (const LtlRequest& formula : request.formulas) report.states->formulas.push_back(formula.text);
  report.verdict.exhaustive = search.value().reasons.empty();
  report.verdict.reasons = search.value().reasons;
  for (const StateFinding& each : search.value().findings) report.verdict.findings.push_back(each.finding);
  if (request.fairness == mc::Fairness::weak) report.verdict.assumptions.emplace_back(assumption_of_weak_fairness);
  conclude(request, hooks, search.value().reads_dates, report);
  if (const auto kept = keep_counterexample(request, search.value(), report); !kept) return kept.error();
  return report;
}

}  // namespace

Counterexample counterexample_of(const ActorCheckRequest& request, const Finding& finding) {
  Counterexample result;
  result.is_of_actors = true;
  result.program = std::filesystem::absolute(request.path).lexically_normal();
  result.arguments = request.arguments;
  result.folder = std::filesystem::current_path();
  result.ranks = 1;
  result.finding = finding;
  return result;
}

Result<CheckReport> check_actors(const ActorCheckRequest& request, const CheckHooks& hooks) {
  const auto begin = std::chrono::steady_clock::now();
  if (!request.formulas.empty()) return check_states(request, hooks, false, begin);
  RemoteActorProgram::Launch launch{request.path, request.arguments};
  launch.max_steps = request.max_steps;
  const auto ends = std::make_shared<std::atomic<bool>>(false);  // the exploration: it has met a long execution, ...
  bool is_long = false;
  launch.on_max_steps = [&] {
    is_long = true;
    ends->store(true);
  };
  auto program = RemoteActorProgram::launch(launch);
  if (!program) return program.error();
  mc::ExploreOptions how;
  how.strategy = request.strategy;
  how.bounds = request.bounds;
  how.hooks.stop = StopToken(ends);
  how.hooks.progress = [&](const mc::Progress& progress) {  // ... or it is interrupted
    if (hooks.stop.stop_requested()) ends->store(true);
    if (hooks.progress) hooks.progress(progress);
  };
  how.hooks.prepare = [&](const StopToken&) {
    program.value()->limit_steps(request.bounds.max_step_seconds, hooks.stop.until(begin, request.bounds.max_seconds));
  };
  CheckReport report = empty_report(request);
  report.verdict = mc::explore(*program.value(), how, judge_of(*program.value(), request.selection));
  if (is_long && first_error(report.verdict) == nullptr) return check_states(request, hooks, true, begin);
  if (hooks.explored) hooks.explored();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  for (Finding& finding : report.verdict.findings) finding.policies.clear();
  conclude(request, hooks, program.value()->has_read_dates(), report);
  if (first_error(report.verdict) == nullptr || request.counterexample.empty()) return report;
  how.hooks = {};
  if (const auto kept = keep_counterexample(request, *program.value(), how, report); !kept) return kept.error();
  return report;
}

}  // namespace rehearse::app
