// SPDX-License-Identifier: MIT
//
// See exploration.hpp.
#include "app/check/exploration.hpp"

#include <chrono>

#include "app/check/exploration_file.hpp"
#include "app/launch.hpp"
#include "app/likewise.hpp"
#include "app/predict/prediction.hpp"
#include "mc/kept_proof.hpp"
#include "mc/saved.hpp"
#include "properties/differences.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::app {
namespace {

// For an exploration that continues another one, or that another one may continue: its identity and the remaining work.
struct Unfinished {
  std::string identity, remaining;
};

Result<Unfinished> read_unfinished(const CheckRequest& request) {
  Unfinished unfinished;
  if (request.save.empty() && request.resume.empty()) return unfinished;
  auto identity = identity_of(request);
  if (!identity) return Error{"--resume: " + identity.error().text};
  unfinished.identity = std::move(identity.value());
  if (request.resume.empty()) return unfinished;
  auto remaining = read_exploration(request.resume, unfinished.identity);
  if (!remaining) return Error{"--resume: " + remaining.error().text};
  unfinished.remaining = std::move(remaining.value());
  return unfinished;
}

// Predictions stop with the exploration, and a prediction stops a rank that continues for too long.
void limit_predictions(Prediction& prediction, mc::ExploreOptions& how) {
  how.hooks.prepare = [&prediction, before = how.hooks.prepare,
                       seconds = how.bounds.max_step_seconds](const StopToken& stop) {
    before(stop);
    prediction.limit_steps({seconds, UINT64_MAX, stop});
  };
}

mc::Verdict run_explorer(Program& program, const CheckRequest& request, const mc::ExploreOptions& how,
                         Unfinished& unfinished) {
  const Judge judge = judge_of(request.selection);
  if (!request.resume.empty()) {
    auto verdict = mc::go_on(program, how, judge, unfinished.identity, unfinished.remaining);
    REHEARSE_ASSERT(bool(verdict), "the saved work is not the remaining work of an exploration");
    return std::move(verdict.value());
  }
  if (request.save.empty()) return mc::explore(program, how, judge);
  return mc::explore(program, how, judge, unfinished.identity, unfinished.remaining);
}

// What an exploration needs, whether it is this process's or that of another one. The program and the prediction
// outlive the exploration with these options.
struct Prepared {
  std::unique_ptr<smpi::LoadedProgram> program;
  std::unique_ptr<Prediction> prediction;
  mc::ExploreOptions how;
};

Result<void> prepare(const CheckRequest& request, Prepared& prepared) {
  auto program = launch_to_explore(request.job, {.reports = request.needless_barriers, .skipped_place = 0});
  if (!program) return program.error();
  prepared.program = std::move(program.value());
  prepared.how = judged_options(request);
  limit_steps_of(*prepared.program, prepared.how);
  if (request.predict_on) {
    auto made = Prediction::make(request.job, *request.predict_on, request.time_bound);
    if (!made) return made.error();
    prepared.prediction = std::move(made.value());
    prepared.how.hooks.price = std::ref(*prepared.prediction);
    limit_predictions(*prepared.prediction, prepared.how);
  }
  prepared.how.hooks.caveats = [&launched = *prepared.program] { return launched.caveats(); };
  return {};
}

}  // namespace

Judge judge_of(const properties::Selection& selection) {
  return [selection](const Outcome& outcome, const Describe& describe) { return selection.judge(outcome, describe); };
}

mc::ExploreOptions judged_options(const CheckRequest& request) {
  const properties::Selection& selection = request.selection;
  mc::ExploreOptions options{request.semantics, request.strategy, request.bounds, {}};
  options.semantics.find_races = selection.reports_any("race.wildcard");
  options.hooks.report_difference = [selection](const Difference& difference) {
    return selection.reported(properties::report_difference(difference));
  };
  options.hooks.report_state = [selection](const GlobalState& state) {
    return selection.reported(properties::report_state(state));
  };
  return options;
}

Result<Explored> explore(const CheckRequest& request, const CheckHooks& hooks) {
  auto unfinished = read_unfinished(request);
  if (!unfinished) return unfinished.error();
  Prepared prepared;
  if (auto done = prepare(request, prepared); !done) return done.error();
  mc::ExploreOptions& how = prepared.how;
  how.strategy.helpers = request.helpers;
  how.hooks.stop = hooks.stop;
  how.hooks.progress = hooks.progress;

  const auto begin = std::chrono::steady_clock::now();
  Explored explored;
  if (looks_for_endless(request))
    how.hooks.is_endless = [&] {
      explored.endless = endless_execution(request, how.hooks.stop);
      return !explored.endless->lassos.empty();
    };
  explored.verdict = request.proof.empty() ? run_explorer(*prepared.program, request, how, unfinished.value())
                                           : mc::explore_and_keep_proof(*prepared.program, how,
                                                                        judge_of(request.selection), explored.proof);
  if (hooks.explored) hooks.explored();
  explored.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  fold_likewise(explored.verdict.findings);
  if (const std::string left_out = request.selection.describe(); !left_out.empty())
    explored.verdict.assumptions.push_back(left_out);
  explored.branchings = branching_places(*prepared.program, explored.verdict);
  if (prepared.prediction) explored.platform = prepared.prediction->platform();
  explored.remaining = std::move(unfinished.value().remaining);
  return explored;
}

Result<void> help(const CheckRequest& request, const std::vector<int>& coordinator) {
  Prepared prepared;
  if (auto done = prepare(request, prepared); !done) return done;
  prepared.how.strategy.attempts_proof = false;
  mc::help(*prepared.program, prepared.how, judge_of(request.selection), coordinator);
  return {};
}

}  // namespace rehearse::app
