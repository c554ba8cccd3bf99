// SPDX-License-Identifier: MIT
//
// Runs a strategy and makes the verdict.
#include "mc/strategy/session.hpp"

#include <utility>

#include "mc/reduction/moves.hpp"
#include "mc/verdict/race_reporter.hpp"

namespace rehearse::mc::strategy {

Session::Session(Program& program, const ExploreOptions& options, const Judge& judge)
    : program_(program),
      options_(options),
      actor_count_(program.actor_count()),
      history_(program, options.bounds.max_history_bytes),
      examiner_(program, history_, options, judge, [this] { return is_within_bounds(operations_); }),
      ledger_(options),
      watch_(options) {
  history_.limit_local_seconds(options.bounds.max_step_seconds);
  history_.give_up_when(watch_.stop());
  if (options.hooks.prepare) options.hooks.prepare(watch_.stop());
  if (options.strategy.attempts_proof && ProofAttempt::is_possible(program, options)) {
    proof_.emplace(program, options, judge);
    watch_.also_ask([this](std::uint64_t executions, double seconds) {
      return proof_->look(executions, seconds, ledger_.has_error());
    });
  }
  if (!options.strategy.counts_merges || dynamic_cast<StateImages*>(&program) == nullptr) return;
  counted_.emplace(program, StateImages::AwaitedBytes::left_out);
  history_.count_in(*counted_);
}

Verdict Session::run(SearchStrategy& strategy) {
  try {
    strategy.run();
  } catch (const history::Diverged& diverged) {
    ledger_.stop(to_text(diverged));
  } catch (const history::GivenUp&) {  // a bound was reached: report which one to the ledger
    while (is_within_bounds(operations_)) continue;
  }
  return finish();
}

void Session::add_limits(const verdict::Limits& limits) {
  ledger_.add_limits(limits);
  ledger_.add_limits(verdict::limits_of(history_));
  if (options_.hooks.caveats) ledger_.add_limits(verdict::limits_of(options_.hooks.caveats()));
}

bool Session::is_left_open(const reduction::Moves& moves) {
  if (examiner_.has_predicates(moves.graph()))
    add_limits({.unsupported = {"predicates over published values with --reduction odpor or none"}});
  if (moves.polls_in_vain())
    add_limits({.refusals_left_out = true,
                .unsupported = {"a poll that gets more than --polls answers \"no\" while nothing else can happen"}});
  return moves.polls_in_vain();
}

Verdict Session::finish() {
  ledger_.add_application_runs(history_.application_runs());
  add_limits({});
  Verdict verdict = ledger_.finish();
  report_races(verdict);
  verdict.merging = std::move(merging_);
  verdict.flow = std::move(flow_);
  verdict.prediction = std::move(prediction_);
  if (proof_) proof_->add_to(verdict);
  if (proof_ && proof_text_ != nullptr) *proof_text_ = proof_->text();
  verdict.peak_bytes = watch_.peak_bytes();
  if (counted_) verdict.local_histories = {counted_->compared(), counted_->merged()};
  return verdict;
}

void Session::report_races(Verdict& verdict) {
  if (options_.strategy.apart || ledger_.races().empty()) return;  // apart: this process runs no actors
  const auto goes_on = [this] { return !watch_.stop().stop_requested(); };
  examiner_.ask(goes_on);
  verdict::RaceReporter reporter(program_, history_, options_, examiner_, goes_on);
  try {
    for (Finding& finding : reporter.report(ledger_.races())) verdict.findings.push_back(std::move(finding));
  } catch (const history::Diverged& diverged) {
    verdict.exhaustive = false;
    verdict.reasons.push_back(to_text(diverged));
  }
}

}  // namespace rehearse::mc::strategy
