// SPDX-License-Identifier: MIT
//
// Runs a reduction, judges every execution it finds under every policy, and keeps one finding per cause.
#include "mc/explore.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <tsl/robin_map.h>
#include <unordered_map>

#include "mc/buffering/policy_replay.hpp"
#include "mc/counterexample/ending.hpp"
#include "mc/history/history.hpp"
#include "mc/reduction/receives_from.hpp"
#include "mc/reduction/none.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::mc {

namespace {

struct HashOfHash {
  std::size_t operator()(const Hash128& h) const { return h.low; }
};
// By class: a bit for each policy under which it happens, and one if it was explored.
using Classes = tsl::robin_map<Hash128, std::uint32_t, HashOfHash>;
constexpr std::size_t policies_max = 31;
constexpr std::uint32_t explored_bit = std::uint32_t{1} << policies_max;

class Run {
 public:
  Run(Program& program, const ExploreOptions& options, const Judge& judge)
      : program_(program),
        options_(options),
        judge_(judge),
        history_(program, options.max_history_bytes),
        start_(std::chrono::steady_clock::now()) {
    outcomes_.resize(options.policies.size());
  }

  Verdict run() {
    try {
      if (options_.search == Search::random)
        run_walks();
      else if (options_.reduction == Reduction::matching)
        run_matching();
      else
        run_none();
    } catch (const Diverged& diverged) {
      stop("actor " + std::to_string(diverged.actor.value) + " is not deterministic: " + diverged.what);
    }
    for (Cause& cause : causes_) finish(cause);
    verdict_.application_runs = history_.application_runs();
    return std::move(verdict_);
  }

 private:
  struct Cause {
    std::vector<Finding> findings;
    std::vector<bool> under;  // by policy
    std::size_t judged = 0;   // the policy under which the findings' schedule leads there
  };

  void run_matching() {
    Matching matching(history_, program_.actor_count(), options_.polls,
                      [this](const Matching& now) { return is_within_bounds(now.events()); });
    matching.run([&](const Graph& graph) {
      verdict_.duplicates += !mark(full_class(graph), explored_bit);
      for (std::size_t p = 0; p < options_.policies.size(); ++p) judge_under(graph, p);
      return keep_going(matching.events());
    });
    verdict_.operations = matching.events();
    note_limits(matching);
  }

  void note_limits(const Matching& matching) {
    if (matching.refusals_left_out() && verdict_.assumptions.empty())
      verdict_.assumptions.push_back("a poll in a loop is told no at most " + std::to_string(options_.polls) +
                                     " time" + (options_.polls == 1 ? "" : "s") + " in a row (--polls)");
    for (const std::string& what : matching.unsupported())
      stop_once(what + ": not all of its outcomes are explored yet");
  }

  // Each from the start; what earlier ones ran is remembered by the History.
  void run_walks() {
    SplitMix chance(options_.seed);
    bool goes_on = true;
    for (std::uint64_t walk = 0; walk < options_.walks && goes_on; ++walk) {
      Matching matching(history_, program_.actor_count(), options_.polls, [&](const Matching& now) {
        return goes_on = is_within_bounds(verdict_.operations + now.events());
      });
      if (const Graph* graph = matching.walk(chance))
        for (std::size_t p = 0; p < options_.policies.size(); ++p) judge_under(*graph, p);
      verdict_.operations += matching.events();
      note_limits(matching);
      if (history_.is_full()) history_.collect({});
      goes_on = goes_on && keep_going(verdict_.operations);
    }
    if (goes_on) stop("only " + std::to_string(options_.walks) + " executions were made, by chance (--search)");
  }

  void run_none() {
    for (std::size_t p = 0; p < options_.policies.size() && verdict_.exhaustive; ++p) {
      None none(history_, program_.actor_count(), options_.policies[p], options_.polls);
      none.run([&](const Graph& graph, const PolicyOutcome& outcome) {
        take(graph, p, outcome);
        return keep_going(none.states());
      });
      verdict_.operations += none.states();
    }
  }

  // Whether this is new of the class.
  bool mark(const Hash128& key, std::uint32_t bit) {
    std::uint32_t& bits = classes_[key];
    const bool fresh = (bits & bit) == 0;
    bits |= bit;
    return fresh;
  }

  // Of all that the actors observed; one that waits for ever has not observed what it waits for.
  static Hash128 whole_class(const Graph& graph) {
    boost::container::small_vector<Hash128, 16> histories;
    for (std::uint32_t a = 0; a < graph.actor_count(); ++a) {
      const std::vector<Event>& events = graph.actor(a).events;
      const std::size_t happened = events.size() - (!events.empty() && events.back().option.starved);
      histories.push_back(happened == 0 ? Hash128{} : events[happened - 1].history);
    }
    return hash_bytes(histories.data(), histories.size() * sizeof histories[0]);
  }

  // Everything decided in the execution, observed or not.
  static Hash128 full_class(const Graph& graph) {
    const Hash128 observed = whole_class(graph);
    const Hash128& rest = graph.tally().unobserved;
    if (rest == Hash128{}) return observed;
    const Hash128 both[] = {observed, rest};
    return hash_bytes(both, sizeof both);
  }

  void judge_under(const Graph& graph, std::size_t p) {
    const Policy& policy = options_.policies[p];
    std::vector<PolicyOutcome>& outcomes = outcomes_[p];
    outcomes.clear();
    const auto twin = std::find(options_.policies.begin(), options_.policies.begin() + static_cast<std::ptrdiff_t>(p),
                                Policy{policy.eager_bytes, false});
    const auto q = static_cast<std::size_t>(twin - options_.policies.begin());
    if (q < p && !has_partial_collectives(graph))
      outcomes = outcomes_[q];
    else if (!restricts(graph, policy))
      return take_whole(graph, p, outcomes);
    else
      replay_.run(graph, policy, [&](const PolicyOutcome& outcome) { outcomes.push_back(outcome); });
    for (const PolicyOutcome& outcome : outcomes) take(graph, p, outcome);
  }

  // The outcome where nobody waits longer than in the exploration: the execution itself.
  static PolicyOutcome unrestricted(const Graph& graph) {
    PolicyOutcome outcome;
    outcome.complete = true;
    for (std::uint32_t a = 0; a < graph.actor_count(); ++a) {
      const Graph::Actor& actor = graph.actor(a);
      outcome.happened.push_back(static_cast<EventIndex>(actor.events.size()));
      outcome.complete = outcome.complete && (std::holds_alternative<End>(actor.node->operation) ||
                                              std::holds_alternative<Fail>(actor.node->operation));
      for (const EventIndex started : actor.requests)
        if (actor.events[started].kind == EventKind::post && actor.events[started].partner.event != no_event)
          outcome.matches.emplace_back(EventRef{a, started}, actor.events[started].partner);
    }
    return outcome;
  }

  // The execution itself happens under the policy. That nothing is wrong with it is seen without looking closely.
  void take_whole(const Graph& graph, std::size_t p, std::vector<PolicyOutcome>& outcomes) {
    if (!is_spotless(graph)) {
      outcomes.push_back(unrestricted(graph));
      return take(graph, p, outcomes.back());
    }
    const bool fresh = mark(whole_class(graph), std::uint32_t{1} << p);
    if (p == 0 && fresh) ++verdict_.executions;
  }

  static bool is_whole(const Graph& graph, const PolicyOutcome& outcome) {
    if (!outcome.complete || outcome.matches.size() != graph.tally().matched) return false;
    for (std::uint32_t a = 0; a < graph.actor_count(); ++a)
      if (outcome.happened[a] != graph.actor(a).events.size()) return false;
    return true;
  }

  // One execution under one policy: counted if new, judged if new or not yet known to happen under this policy.
  void take(const Graph& graph, std::size_t p, const PolicyOutcome& outcome) {
    const bool fresh = mark(class_of(graph, outcome), std::uint32_t{1} << p);
    if (p == 0 && fresh) {
      ++verdict_.executions;
      verdict_.blocked += !outcome.complete;
    }
    if (!fresh || (is_whole(graph, outcome) && is_spotless(graph))) return;
    const auto [known, added] = by_shape_.emplace(shape_of(graph, outcome), causes_.size());
    if (added) {
      causes_.push_back(judge(graph, p, outcome));
      for (const Finding& finding : causes_.back().findings)
        if (finding.severity == Severity::error && !first_error_) first_error_ = verdict_.executions;
    }
    causes_[known->second].under[p] = true;
  }

  Cause judge(const Graph& graph, std::size_t p, const PolicyOutcome& outcome) {
    Cause cause;
    cause.under.resize(options_.policies.size());
    cause.judged = p;
    Outcome seen = make_outcome(graph, outcome, options_.policies[p]);
    for (PendingRequest& pending : seen.pending) pending.started_at = program_.locate(pending.actor, pending.origin);
    for (EarlyMessage& early : seen.early) early.started_at = program_.locate(early.source, early.origin);
    if (const ActorOutcome* actor = unsupported(seen)) {
      stop_once(actor->what + " is not supported yet");
      return cause;
    }
    std::erase_if(seen.reports, [this](const auto& report) {
      if (report.second.id != outcomes_left_out) return false;
      stop_once(report.second.message + ": not all of its outcomes are explored yet");
      return true;
    });
    const Describe describe = [&](ActorId actor) {
      history_.visit(&standing(graph, outcome, actor.value));
      return program_.describe(actor);
    };
    cause.findings = judge_(seen, describe);
    const std::string schedule = to_text(make_schedule(graph, outcome));
    for (Finding& finding : cause.findings) finding.schedule = schedule;
    return cause;
  }

  // An actor that asked for something that nobody implements: nothing is known about what follows.
  static const ActorOutcome* unsupported(const Outcome& outcome) {
    for (const ActorOutcome& actor : outcome.actors)
      if (actor.state == ActorOutcome::State::failed && actor.failure == FailureKind::unsupported) return &actor;
    return nullptr;
  }

  // Whether a reader takes them for one: the same at the same places.
  static bool is_same(const Finding& a, const Finding& b) {
    const auto same_place = [](const Location& x, const Location& y) {
      return x.actor == y.actor && x.call == y.call && x.file == y.file && x.line == y.line;
    };
    const bool told_by_places = !a.locations.empty() || !b.locations.empty();
    return a.id == b.id && a.actors == b.actors && std::ranges::equal(a.locations, b.locations, same_place) &&
           (told_by_places || a.message == b.message);
  }

  // What happens without synchronising collectives need not be told again for them, if it looks a little different.
  bool only_synchronising(const Cause& cause) const {
    for (std::size_t p = 0; p < cause.under.size(); ++p)
      if (cause.under[p] && !options_.policies[p].synchronising) return false;
    return true;
  }

  // The policies of all findings that are the same count; the first one is that of the schedule.
  void finish(Cause& cause) {
    for (Finding& finding : cause.findings) {
      std::vector<std::string> names = {to_text(options_.policies[cause.judged])};
      for (std::size_t p = 0; p < cause.under.size(); ++p)
        if (cause.under[p]) names.push_back(to_text(options_.policies[p]));
      const auto same = std::find_if(verdict_.findings.begin(), verdict_.findings.end(), [&](const Finding& f) {
        return is_same(f, finding) || (only_synchronising(cause) && f.id == finding.id && f.actors == finding.actors);
      });
      Finding& kept = same == verdict_.findings.end() ? verdict_.findings.emplace_back(finding) : *same;
      for (const std::string& name : names)
        if (std::find(kept.policies.begin(), kept.policies.end(), name) == kept.policies.end())
          kept.policies.push_back(name);
    }
  }

  // Time, memory and whoever watches: asked also in the middle of an execution.
  bool is_within_bounds(std::uint64_t operations) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    const bool asks = seconds >= next_question_;  // what is asked may be slow, an execution is not
    if (asks) next_question_ = seconds + 0.005;
    if (options_.progress && seconds >= next_progress_) {
      options_.progress({verdict_.executions, operations, seconds});
      next_progress_ = seconds + 0.25;
    }
    if (asks && options_.interrupted && options_.interrupted()) return stop("interrupted");
    if (seconds > options_.max_seconds) return stop("the time is up (--max-seconds)");
    return true;
  }

  // Between two executions.
  bool keep_going(std::uint64_t operations) {
    if (!is_within_bounds(operations)) return false;
    if (verdict_.executions >= options_.max_executions)
      return stop("stopped after " + std::to_string(options_.max_executions) + " executions (--max-executions)");
    if (!options_.all_findings && first_error_ &&
        verdict_.executions >= *first_error_ + options_.grace_executions)
      return stop("stopped after an error (--all goes on)");
    return true;
  }

  bool stop(std::string reason) {
    verdict_.exhaustive = false;
    verdict_.reasons.push_back(std::move(reason));
    return false;
  }

  void stop_once(const std::string& reason) {
    if (std::find(verdict_.reasons.begin(), verdict_.reasons.end(), reason) == verdict_.reasons.end()) stop(reason);
  }

  Program& program_;
  const ExploreOptions& options_;
  const Judge& judge_;
  History history_;
  PolicyReplay replay_;
  std::chrono::steady_clock::time_point start_;
  double next_progress_ = 0.5;
  double next_question_ = 0;
  Verdict verdict_;
  Classes classes_;
  std::vector<std::vector<PolicyOutcome>> outcomes_;              // by policy, of the execution at hand
  std::unordered_map<Hash128, std::size_t, HashOfHash> by_shape_;
  std::vector<Cause> causes_;
  std::optional<std::uint64_t> first_error_;
};

}  // namespace

std::string to_text(const Policy& policy) {
  std::string text = policy.eager_bytes == Policy::infinite ? "infinite"
                     : policy.eager_bytes == 0              ? "zero"
                                                            : "eager:" + std::to_string(policy.eager_bytes);
  return policy.synchronising ? text + "+synchronising" : text;
}

Verdict explore(Program& program, const ExploreOptions& options, const Judge& judge) {
  REHEARSE_ASSERT(!options.policies.empty() && options.policies.size() <= policies_max, "policies to be judged");
  return Run(program, options, judge).run();
}

}  // namespace rehearse::mc
