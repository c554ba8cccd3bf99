// SPDX-License-Identifier: MIT
//
// Composes an explanation.
#include "mc/investigate.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "mc/counterexample/critical.hpp"
#include "mc/counterexample/ending.hpp"
#include "mc/counterexample/minimise.hpp"
#include "mc/counterexample/resolver.hpp"
#include "mc/counterexample/runs.hpp"
#include "mc/counterexample/story.hpp"
#include "mc/effects_watch.hpp"

namespace rehearse::mc {

using buffering::PolicyOutcome;
using counterexample::ExecutionResult;
using counterexample::Follower;
using counterexample::Forced;
using counterexample::Runs;
using graph::Event;
using graph::EventKind;
using graph::EventRef;
using graph::Graph;

namespace {

constexpr std::size_t story_max = 200;      // the last steps, which the explanation lists
constexpr std::uint32_t calls_in_full = 4;  // the last calls of each actor, with arguments
constexpr std::uint32_t calls_in_full_max = 100;
constexpr std::size_t differences_max = 20;

bool shares_key(const Forced& a, const Forced& b) {
  const auto shares = [](const auto& x, const auto& y) {
    return std::ranges::any_of(x, [&](const auto& entry) { return y.contains(entry.first); });
  };
  return shares(a.schedule.matches, b.schedule.matches) || shares(a.schedule.answers, b.schedule.answers) ||
         std::ranges::any_of(a.starved, [&](const auto& entry) { return b.starved.contains(entry); });
}

// The execution of the graph under the policy of the finding.
PolicyOutcome outcome_of(const Graph& graph, const Policy& policy, const Schedule& schedule) {
  PolicyOutcome result = verdict::as_it_is(graph);
  if (!buffering::restricts(graph, policy)) return result;
  buffering::PolicyReplay replay([] { return true; });
  const std::string wanted = to_text(schedule);
  replay.run(graph, policy, [&](const PolicyOutcome& outcome) {
    if (to_text(counterexample::make_schedule(graph, outcome)) == wanted) result = outcome;
  });
  return result;
}

class StoryFormatter {
 public:
  StoryFormatter(counterexample::Sites& sites, const Graph& graph) : sites_(sites), graph_(graph) {}

  std::optional<StoryStep> step(EventRef ref) const {
    const Event& event = graph_.event(ref);
    StoryStep step;
    switch (event.kind) {
      case EventKind::decide: return std::nullopt;
      case EventKind::send: {
        step.others = {graph_.send_of(ref).destination};
        break;
      }
      case EventKind::post:
        if (std::get<Post>(event.node->operation).blocking) return std::nullopt;  // listed when it takes a message
        step.kind = StoryStep::Kind::posts;
        break;
      case EventKind::arrive: step.kind = StoryStep::Kind::arrives; break;
      case EventKind::observe:
        if (!format_observation(ref, step)) return std::nullopt;
        break;
    }
    step.at = sites_.of(graph_, ref);
    return step;
  }

 private:
  bool format_observation(EventRef ref, StoryStep& step) const {
    const Event& event = graph_.event(ref);
    const Graph::Actor& actor = graph_.actor(ref.actor);
    if (std::holds_alternative<Collective>(event.node->operation) || event.option.starved) return false;
    step.kind = counterexample::answer_of(graph_, *event.node, event.option) ? StoryStep::Kind::answered
                                                                             : StoryStep::Kind::takes;
    step.flag = event.option.flag;
    const auto add = [&](RequestId request) {
      const Event& started = actor.events[actor.requests[request.value]];
      if (started.kind == EventKind::post && started.partner.event != graph::no_event)
        step.others.push_back({started.partner.actor});
    };
    if (const auto* post = std::get_if<Post>(&event.node->operation)) add(post->request);
    if (const auto* observe = std::get_if<Observe>(&event.node->operation)) {
      for (std::uint32_t i = 0; event.option.flag && i < observe->requests.size(); ++i)
        if (observe->quantifier == Quantifier::all || std::ranges::count(event.option.completed, i) > 0)
          add(observe->requests[i]);
    }
    if (std::holds_alternative<Probe>(event.node->operation) && event.option.flag)
      step.others.push_back({event.option.probed.actor});
    return step.kind == StoryStep::Kind::answered || !step.others.empty();
  }

  counterexample::Sites& sites_;
  const Graph& graph_;
};

class Investigation {
 public:
  Investigation(Runs& runs, const Finding& finding, const counterexample::Minimal& minimal)
      : runs_(runs), finding_(finding), forced_(counterexample::all_of(minimal.decisions)) {
    result_.decisions_before = minimal.before;
    result_.is_fewest = minimal.is_fewest;
  }

  std::optional<Explanation> run(Runs& others) {
    const ExecutionResult failing =
        runs_.follow(Follower::Orders{forced_, {}, false},
                     [this](const Graph& graph, const ExecutionResult& result) { write_story(graph, result); });
    if (!failing.same) return std::nullopt;
    result_.finding = *failing.same;
    result_.finding.policies = finding_.policies;
    result_.finding.severity = finding_.severity;
    if (const auto critical = counterexample::find_critical(others, failing.taken, alternatives_))
      add_critical(failing, *critical);
    return std::move(result_);
  }

 private:
  void write_story(const Graph& graph, const ExecutionResult& result) {
    if (!result.same) return;
    schedule_ = result.same->witness.schedule;
    for (const counterexample::Taken& choice : result.taken) {
      const Forced& chosen = choice.options[choice.chosen];
      if (shares_key(chosen, forced_)) result_.decisions.push_back(runs_.sites().decision(graph, choice.event, chosen));
    }
    alternatives_ = counterexample::alternatives_of(graph, result.taken);
    result_.ends_well_without_waiting = buffering::restricts(graph, runs_.policy()) &&
                                        runs_.ends_well_without_waiting(graph);
    add_story(graph, outcome_of(graph, runs_.policy(), schedule_), *result.same);
  }

  void add_story(const Graph& graph, const PolicyOutcome& outcome, const Finding& finding) {
    std::vector<std::uint32_t> ends;
    for (const ActorId actor : finding.actors) ends.push_back(actor.value);
    if (ends.empty())
      for (std::uint32_t a = 0; a < graph.actor_count(); ++a) ends.push_back(a);
    const counterexample::Prefix past = counterexample::past_of(graph, ends, outcome.happened);
    const std::set<std::uint32_t> named(ends.begin(), ends.end());
    for (std::uint32_t a = 0; a < past.size(); ++a)
      if (past[a] > 0 || named.contains(a)) result_.involved.push_back({a});
    const counterexample::Line line = counterexample::line_up(graph, past);
    result_.switches = line.switches;
    const StoryFormatter formatter(runs_.sites(), graph);
    const std::size_t first = line.events.size() > 2 * story_max ? line.events.size() - 2 * story_max : 0;
    std::vector<EventRef> reported;
    for (std::size_t i = first; i < line.events.size(); ++i) {
      auto step = formatter.step(line.events[i]);
      if (!step) continue;
      result_.story.push_back(std::move(*step));
      reported.push_back(line.events[i]);
    }
    add_last_calls(graph, reported);
    result_.is_story_whole = first == 0 && result_.story.size() <= story_max;
    if (result_.story.size() > story_max) result_.story.erase(result_.story.begin(), result_.story.end() - story_max);
  }

  void add_last_calls(const Graph& graph, const std::vector<EventRef>& reported) {
    std::map<std::uint32_t, std::uint32_t> calls;
    std::uint32_t all = 0;
    for (std::size_t i = reported.size(); i-- > 0 && all < calls_in_full_max;) {
      if (calls[reported[i].actor]++ >= calls_in_full) continue;
      result_.story[i].call = runs_.sites().call_in_full(graph, reported[i]);
      ++all;
    }
  }

  void add_critical(const ExecutionResult& failing, const counterexample::CriticalChoice& critical) {
    const counterexample::Taken& choice = failing.taken[critical.choice];
    Explanation::Critical reported;
    runs_.follow(Follower::Orders{forced_, {}, false}, [&](const Graph& graph, const ExecutionResult&) {
      reported.taken = runs_.sites().decision(graph, choice.event, choice.options[choice.chosen]);
    });
    runs_.follow(critical.passing, [&](const Graph& graph, const ExecutionResult&) {
      reported.instead = runs_.sites().decision(graph, choice.event, critical.instead);
      add_differences(graph);
    });
    if (!result_.passing) return;  // a limit was reached
    result_.critical = std::move(reported);
  }

  void add_differences(const Graph& graph) {
    const Schedule passing = counterexample::make_schedule(graph, verdict::as_it_is(graph));
    for (const auto& [receive, send] : passing.matches) {
      const auto here = schedule_.matches.find(receive);
      if (here == schedule_.matches.end() || here->second == send) continue;
      if (result_.differences.size() == differences_max) break;
      const Graph::Actor& actor = graph.actor(receive.first.value);
      const Event& post = actor.events[actor.requests[receive.second.value]];
      Forced words;
      words.schedule.matches[receive] = send;
      result_.differences.push_back(runs_.sites().decision(graph, {receive.first.value, post.decided_by}, words));
    }
    result_.passing = passing;
  }

  Runs& runs_;
  const Finding& finding_;
  Forced forced_;
  Schedule schedule_;
  counterexample::Alternatives alternatives_;
  Explanation result_;
};

}  // namespace

std::optional<Explanation> investigate(Program& program, const ExploreOptions& how, const Policy& policy,
                                       const Judge& judge, const Finding& finding, const InvestigateOptions& options) {
  const auto part = [&](double share) {
    return counterexample::Limit{options.max_executions, options.max_events, options.max_seconds * share};
  };
  const auto prepare = [&](Runs& runs) {  // run the execution that others are compared with first
    const auto& first = finding.witness.compared_with;
    if (first) runs.follow(Follower::Orders{{*first, {}}, {}, true});
  };
  std::optional<counterexample::Minimal> minimal;
  std::uint64_t executions = 0;
  {
    Runs runs(program, how, policy, judge, finding, part(0.6));
    prepare(runs);
    minimal = counterexample::minimise(runs, finding.witness.schedule);
    executions = runs.executions();
  }
  if (!minimal) return std::nullopt;
  Runs others(program, how, policy, judge, finding, part(0.4));
  prepare(others);
  auto result = Investigation(others, finding, *minimal).run(others);
  if (result) result->executions = executions + others.executions();
  return result;
}

bool leads_to(Program& program, const ExploreOptions& how, const Policy& policy, const Judge& judge,
              const Finding& finding, const InvestigateOptions& options) {
  Runs runs(program, how, policy, judge, finding, {options.max_executions, options.max_events, options.max_seconds});
  return runs.follow(Follower::Orders{{finding.witness.schedule, {}}, {}, true}).same.has_value();
}

Found find_again(Program& program, const ExploreOptions& how, const Policy& policy, const Judge& judge,
                 const Finding& finding, const std::vector<Decision>& decisions, const InvestigateOptions& options) {
  Runs runs(program, how, policy, judge, finding, {options.max_executions, options.max_events, options.max_seconds});
  runs.ignore_lines();
  counterexample::Resolver resolver(runs.sites(), decisions, program.actor_noun());
  Follower follower({}, [&](const Graph& graph, Forced& must) { resolver.update(graph, must); });
  Found found;
  const ExecutionResult result = runs.follow(follower, [&](const Graph& graph, const ExecutionResult&) {
    found.problems = resolver.problems(graph, follower.impossible());
  });
  found.finding = result.same;
  if (!result.was_judged) found.problems.push_back("no execution was completed within the limits");
  return found;
}

}  // namespace rehearse::mc
