// SPDX-License-Identifier: MIT
//
// From a request to a report.
#include "app/actor_check.hpp"

#include <chrono>
#include <filesystem>

#include "app/actor_steps.hpp"
#include "app/counterexample.hpp"
#include "app/selected_checks.hpp"
#include "mc/explore.hpp"
#include "mc/investigate.hpp"
#include "simcore/remote_actor_program.hpp"

namespace rehearse::app {
namespace {

constexpr const char* assumption_of_dates = "no decision of an actor depends on the simulated date";

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
  auto program = RemoteActorProgram::launch({request.path, request.arguments});
  if (!program) return program.error();
  mc::ExploreOptions how;
  how.strategy = request.strategy;
  how.bounds = request.bounds;
  how.hooks.stop = hooks.stop;
  how.hooks.progress = hooks.progress;
  how.hooks.prepare = [&program, seconds = request.bounds.max_step_seconds](const StopToken& stop) {
    program.value()->limit_steps(seconds, stop);
  };
  const auto begin = std::chrono::steady_clock::now();
  CheckReport report;
  report.program = request.program;
  report.ranks = 1;
  report.is_of_actors = true;
  report.policies = how.semantics.policies;
  report.verdict = mc::explore(*program.value(), how, judge_of(*program.value(), request.selection));
  if (hooks.explored) hooks.explored();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  for (Finding& finding : report.verdict.findings) finding.policies.clear();
  if (request.warnings_as_errors) take_warnings_for_errors(report.verdict.findings);
  if (program.value()->has_read_dates()) report.verdict.assumptions.push_back(assumption_of_dates);
  if (const std::string left_out = request.selection.describe(); !left_out.empty())
    report.verdict.assumptions.push_back(left_out);
  if (hooks.judged) hooks.judged(report);
  if (first_error(report.verdict) == nullptr || request.counterexample.empty()) return report;
  how.hooks = {};
  if (const auto kept = keep_counterexample(request, *program.value(), how, report); !kept) return kept.error();
  return report;
}

}  // namespace rehearse::app
