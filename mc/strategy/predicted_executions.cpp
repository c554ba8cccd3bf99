// SPDX-License-Identifier: MIT
//
// One execution, and those that a solver predicts from it to end in an error (mc/predict). Each prediction is replayed,
// and judged as any other execution: what the replay does not show is not reported.
//
// The execution is the first of an exploration. If it ends early without an error, a few random ones are tried.
//
// Errors: without the library of the solver, the verdict names it.
#include <algorithm>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "mc/counterexample/follower.hpp"
#include "mc/predict/predictor.hpp"
#include "mc/reduction/receives_from.hpp"
#include "mc/reduction/single_execution.hpp"
#include "mc/strategy/search_strategy.hpp"
#include "mc/strategy/session.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::mc::strategy {

namespace {

using predict::Predictor;
using predict::Shown;

class PredictedExecutions final : public SearchStrategy {
 public:
  explicit PredictedExecutions(Session& session)
      : session_(session), has_error_(session.options().semantics.policies.size(), false) {}

  void run() override {
    if (const std::string obstacle = obstacle_to_predictions(); !obstacle.empty())
      return session_.stop("--search predict: " + obstacle);
    const bool is_all = record();
    for (std::uint32_t walk = 0; walk < walks_max && !is_all && wants_another(); ++walk) record_by_chance();
    if (predictor_) {
      prediction_.messages = predictor_->messages();
      prediction_.receives = predictor_->receives();
    }
    if (!is_all && !session_.is_stopped() && predictor_) predict();
    session_.set_prediction(prediction_);
    if (is_all || session_.is_stopped()) return;
    if (is_complete()) session_.add_limits({.assumptions = {assumption()}});
    else session_.stop(reason());
  }

 private:
  // The first execution of an exploration. True: it is the only one.
  bool record() {
    reduction::ReceivesFromExplorer explorer(
        session_.history(), session_.actor_count(), session_.options().semantics.polls,
        [this](const reduction::ReceivesFromExplorer& now) { return session_.is_within_bounds(now.events()); });
    explorer.limit_deviations(0);
    const bool is_over = explorer.run([&](const graph::Graph& graph) {
      session_.execution().clear();
      if (!session_.look_at(graph, true)) return false;
      note_errors();
      session_.examiner().find_races(explorer, session_.execution());
      if (!predictor_) read(graph);
      return session_.count() && session_.is_within_bounds(explorer.events());
    });
    session_.ledger().add_operations(explorer.events());
    session_.add_limits(verdict::limits_of(explorer.builder()));
    return is_over && !explorer.has_left_deviations_out();
  }

  // Under some policies, executions that end early in the exploration do not exist, so they show no error. Another one
  // may come to its end.
  bool wants_another() const {
    return !session_.is_stopped() && predictor_ && !predictor_->unsupported().empty() &&
           std::ranges::count(has_error_, true) < std::ssize(has_error_);
  }

  void record_by_chance() {
    bool goes_on = true;
    reduction::SingleExecution execution(session_.history(), session_.actor_count(), session_.options().semantics.polls,
                                         [&](std::uint64_t events) {
                                           return goes_on = session_.is_within_bounds(events);
                                         });
    if (const graph::Graph* graph = execution.walk(chance_); graph != nullptr && session_.look_at(*graph, false)) {
      note_errors();
      read(*graph);
      session_.count();
    }
    session_.ledger().add_operations(execution.events());
    session_.add_limits(verdict::limits_of(execution.builder()));
  }

  void read(const graph::Graph& graph) {
    predictor_.emplace(graph, session_.options().semantics.policies, std::string(session_.program().actor_noun()));
  }

  void predict() {
    prediction_.open = predictor_->unsupported();
    if (!prediction_.open.empty()) return;
    const std::size_t policies = session_.options().semantics.policies.size();
    for (std::size_t p = 0; p < policies && !session_.is_stopped(); ++p) {
      if (has_error_[p] && !wants_all()) continue;
      const predict::Predictions found =
          predictor_->predict(p, [&](const Schedule& schedule) { return replay(schedule, p); });
      prediction_.questions += found.questions;
      prediction_.confirmed += found.confirmed;
      prediction_.refuted += found.refuted;
      for (const std::string& reason : found.open)
        if (std::ranges::find(prediction_.open, reason) == prediction_.open.end()) prediction_.open.push_back(reason);
    }
  }

  bool wants_all() const { return session_.options().bounds.all_findings; }

  // A message that the schedule does not name is not received, if the execution can come to its end like that;
  // otherwise it is.
  Shown replay(const Schedule& schedule, std::size_t policy) {
    bool is_new = false, is_real = false;
    for (const bool to_the_end : {true, false}) {
      counterexample::Follower follower({{schedule, {}}, {}, to_the_end});
      bool goes_on = true;
      reduction::SingleExecution execution(session_.history(), session_.actor_count(),
                                           session_.options().semantics.polls, [&](std::uint64_t events) {
                                             return goes_on = session_.is_within_bounds(events);
                                           });
      if (const graph::Graph* graph = execution.follow(follower)) {
        is_real = is_real || follower.impossible().empty();
        goes_on = session_.look_at(*graph, false);
        is_new = goes_on && note_errors().contains(policy);
        goes_on = goes_on && session_.count();
      }
      session_.ledger().add_operations(execution.events());
      session_.add_limits(verdict::limits_of(execution.builder()));
      if (!goes_on || !session_.is_within_bounds(0)) return Shown::stopped;
      if (is_new) return wants_all() ? Shown::error_and_more : Shown::error;
    }
    return is_real ? Shown::nothing : Shown::unreal;
  }

  // Remembers which policies the errors of the current execution concern. Returns those of its new ends.
  std::set<std::size_t> note_errors() {
    const verdict::Execution& execution = session_.execution();
    const auto is_error = [](const Finding& finding) { return finding.severity == Severity::error; };
    for (const verdict::Cause& cause : execution.causes)
      if (std::ranges::any_of(cause.findings, is_error)) errors_.insert(cause.shape);
    std::set<std::size_t> policies;
    for (const verdict::Execution::RecordedEnd& end : execution.recorded_ends)
      if (errors_.contains(end.shape)) policies.insert(end.policy);
    for (const std::size_t policy : policies) has_error_[policy] = true;
    return policies;
  }

  // Whether every error of the kinds that predictions know was found.
  bool is_complete() const {
    return session_.options().strategy.is_fixed_course && prediction_.open.empty() && predictor_ &&
           predictor_->open().empty();
  }

  static std::string assumption() {
    return "in other orders of these calls nothing else can go wrong than a deadlock, a lost message, or the length or "
           "type of a message";
  }

  std::string reason() const {
    std::string text =
        fmt::format("predictions cover only executions in which each {} makes the calls of the recorded one, and only "
                    "deadlocks, lost messages, and lengths and types of messages (--search)",
                    session_.program().actor_noun());
    for (const std::string& open : prediction_.open) text += "; " + open;
    return text;
  }

  static constexpr std::uint32_t walks_max = 16;

  Session& session_;
  SplitMix chance_{1};
  std::optional<Predictor> predictor_;
  Prediction prediction_;
  std::unordered_set<history::Hash128, history::HashOfHash> errors_;  // shapes of ends with an error
  std::vector<bool> has_error_;                                       // by policy
};

}  // namespace

std::unique_ptr<SearchStrategy> make_predicted_executions(Session& session) {
  return std::make_unique<PredictedExecutions>(session);
}

}  // namespace rehearse::mc::strategy
