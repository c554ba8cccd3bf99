// SPDX-License-Identifier: MIT
//
// Builds single executions and has them examined.
#include "mc/counterexample/runs.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "mc/counterexample/ending.hpp"
#include "mc/effects_watch.hpp"
#include "mc/reduction/receives_from.hpp"
#include "mc/reduction/single_execution.hpp"

namespace rehearse::mc::counterexample {

using graph::Graph;
using verdict::Execution;

namespace {

// Whether the finding is about the cost of an execution. Such findings are equal wherever they appear.
bool is_of_price(const Finding& finding) { return finding.id == finding_ids::time_bound; }

// Options that search for this finding under this policy only.
ExploreOptions with_policy(const ExploreOptions& options, const Policy& policy, const Finding& finding) {
  ExploreOptions result = options;
  result.semantics.policies = {policy};
  result.semantics.same_output = finding.id == finding_ids::outcome_output;
  result.semantics.same_sends = finding.id == finding_ids::outcome_sends;
  result.semantics.same_results = finding.id == finding_ids::outcome_results;
  if (!is_of_price(finding)) result.hooks.price = {};
  return result;
}

}  // namespace

bool is_same_finding(const Finding& a, const Finding& b, bool by_lines) {
  if (is_of_price(a)) return a.id == b.id;
  const auto places = [by_lines](const Finding& finding) {
    std::set<std::tuple<ActorId, std::string, std::string, int>> all;
    for (const Location& at : finding.locations) {
      if (by_lines) all.emplace(at.actor, at.call, at.file, at.line);
      else all.emplace(at.actor, at.call.substr(0, at.call.find('(')), at.function, 0);
    }
    return all;
  };
  const auto actors = [](const Finding& finding) { return std::set(finding.actors.begin(), finding.actors.end()); };
  return a.id == b.id && actors(a) == actors(b) && places(a) == places(b);
}

Runs::Runs(Program& program, const ExploreOptions& options, const Policy& policy, const Judge& judge,
           const Finding& finding, const Limit& limit)
    : program_(program),
      options_(with_policy(options, policy, finding)),
      free_(with_policy(options, Policy{}, finding)),
      judge_(judge),
      finding_(finding),
      limit_(limit),
      history_(program, options.bounds.max_history_bytes),
      examiner_(program, history_, options_, judge_, [this] { return !is_over(); }),
      free_examiner_(program, history_, free_, judge_, [this] { return !is_over(); }),
      sites_(program, history_) {
  history_.limit_local_seconds(options.bounds.max_step_seconds);
  const StopToken stop = StopToken().until(start_, limit.seconds);
  history_.give_up_when(stop);
  if (options.hooks.prepare) options.hooks.prepare(stop);
}

bool Runs::is_over() const {
  return executions_ >= limit_.executions || events_ >= limit_.events ||
         std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count() > limit_.seconds;
}

void Runs::make_room() {
  if (history_.is_full()) history_.collect({});
}

void Runs::judge(const Graph& graph, ExecutionResult& result) {
  ++executions_;
  Execution execution;
  examiner_.forget_recorded_ends();
  if (!examiner_.examine(graph, false, execution)) return;
  result.was_judged = true;
  bool has_error = false;
  for (const verdict::Cause& cause : execution.causes) {
    has_error = has_error || cause.is_not_meant || !cause.reasons.empty();
    for (const Finding& finding : cause.findings) {
      has_error = has_error || finding.severity == Severity::error;
      if (!result.same && is_same_finding(finding, finding_, by_lines_)) result.same = finding;
    }
  }
  result.ends_well = !has_error && !execution.endings.empty() &&
                     std::ranges::all_of(execution.endings, &Execution::Ending::complete);
}

ExecutionResult Runs::follow(Follower& follower, const OnGraph& on_graph) {
  ExecutionResult result;
  if (is_over()) return result;
  make_room();
  reduction::SingleExecution grown(history_, program_.actor_count(), options_.semantics.polls,
                                   [this](std::uint64_t events) { return goes_on_after(events); });
  if (const Graph* graph = grown.follow(follower)) {
    judge(*graph, result);
    result.has_impossible = !follower.impossible().empty();
    result.taken = follower.taken();
    if (result.was_judged && on_graph) on_graph(*graph, result);
  }
  events_ += grown.events();
  return result;
}

ExecutionResult Runs::follow(const Follower::Orders& orders, const OnGraph& on_graph) {
  Follower follower(orders);
  return follow(follower, on_graph);
}

ExecutionResult Runs::search(std::uint32_t deviations, std::vector<Forced>& deviating, std::vector<Forced>& all,
                             bool& is_complete) {
  ExecutionResult found;
  make_room();
  reduction::ReceivesFromExplorer every(history_, program_.actor_count(), options_.semantics.polls,
                                        [this](const reduction::ReceivesFromExplorer& now) {
                                          return goes_on_after(now.events());
                                        });
  every.limit_deviations(deviations);
  const bool is_whole = every.run([&](const Graph& graph) {
    if (is_over()) return false;
    if (every.deviations() < deviations) return true;
    ExecutionResult result;
    judge(graph, result);
    if (!result.same) return true;
    found = std::move(result);
    deviating = all = {};
    for (const graph::EventRef event : every.trail().deviating_events()) deviating.push_back(as_forced(graph, event));
    for (std::uint32_t a = 0; a < graph.actor_count(); ++a)
      for (const graph::EventIndex event : graph.actor(a).revisitable) all.push_back(as_forced(graph, {a, event}));
    return false;
  });
  events_ += every.events();
  is_complete = is_whole && !every.has_left_deviations_out();
  return found;
}

bool Runs::ends_well_without_waiting(const Graph& graph) {
  Execution execution;
  free_examiner_.forget_recorded_ends();
  if (!free_examiner_.examine(graph, false, execution)) return false;
  for (const verdict::Cause& cause : execution.causes) {
    if (cause.is_not_meant || !cause.reasons.empty()) return false;
    for (const Finding& finding : cause.findings)
      if (finding.severity == Severity::error) return false;
  }
  return std::ranges::all_of(execution.endings, &Execution::Ending::complete);
}

}  // namespace rehearse::mc::counterexample
