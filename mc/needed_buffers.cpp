// SPDX-License-Identifier: MIT
//
// See needed_buffers.hpp.
#include "mc/needed_buffers.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_set>

#include "mc/buffering/hitting_set.hpp"
#include "mc/buffering/policy_replay.hpp"
#include "mc/reduction/receives_from.hpp"
#include "mc/verdict/limits.hpp"
#include "mc/verdict/watch.hpp"

namespace rehearse::mc {

using buffering::Clause;
using graph::Event;
using graph::EventRef;
using graph::Graph;

namespace {

// Whether the actor ends at something that is not supported, so that its further operations are not known.
bool is_left_open(const Graph::Actor& actor) {
  const auto* fail = std::get_if<Fail>(&actor.node->operation);
  return fail != nullptr && !is_fault(fail->kind);
}

// Whether the answer of the event depends on the moment.
bool is_poll(const Event& event) {
  if (std::holds_alternative<Probe>(event.node->operation)) return true;
  const auto* observe = std::get_if<Observe>(&event.node->operation);
  return observe != nullptr && !observe->blocking;
}

class Repair {
 public:
  Repair(Program& program, const ExploreOptions& options)
      : program_(program), options_(options), watch_(options), replay_([this] { return is_within_bounds(); }) {
    replay_.buffer(&buffered_);
    for (const Policy& given : options.semantics.policies) {
      const Policy policy{0, given.synchronising};
      if (std::ranges::find(policies_, policy) == policies_.end()) policies_.push_back(policy);
    }
  }

  NeededBuffers run() {
    try {
      do {
        ++result_.rounds;
        has_changed_ = false;
      } while (explore() && has_changed_);
    } catch (const history::Diverged& diverged) {
      result_.why_not = to_text(diverged);
    } catch (const history::GivenUp&) {
      result_.why_not = "the time is up";
    }
    result_.is_answered = result_.why_not.empty();
    for (const std::uint64_t site : buffered_) result_.sites.push_back(sites_.at(numbers_.at(site)));
    std::ranges::sort(result_.sites, {}, &BufferedSite::site);
    return std::move(result_);
  }

 private:
  bool is_within_bounds() {
    if (!result_.why_not.empty()) return false;
    if (auto objection = watch_.objection(result_.executions, 0)) result_.why_not = std::move(*objection);
    return result_.why_not.empty();
  }

  // One round. False: stopped.
  bool explore() {
    history::History history(program_, options_.bounds.max_history_bytes);
    history.limit_local_seconds(options_.bounds.max_step_seconds);
    history.give_up_when(watch_.stop());
    if (options_.hooks.prepare) options_.hooks.prepare(watch_.stop());
    history_ = &history;
    result_.executions = 0;
    reduction::ReceivesFromExplorer explorer(history, program_.actor_count(), options_.semantics.polls,
                                             [this](const reduction::ReceivesFromExplorer&) {
                                               return is_within_bounds();
                                             });
    const bool is_over = explorer.run([this](const Graph& graph) { return look_at(graph); });
    verdict::Limits limits = verdict::limits_of(explorer.builder());
    limits.join(verdict::limits_of(history));
    if (limits.size() > 0 && result_.why_not.empty()) result_.why_not = "not all executions can be explored";
    return is_over && result_.why_not.empty();
  }

  // False: stop.
  bool look_at(const Graph& graph) {
    ++result_.executions;
    for (std::uint32_t a = 0; a < graph.actor_count(); ++a) {
      if (is_left_open(graph.actor(a))) result_.why_not = "not all executions can be explored";
      if (std::ranges::any_of(graph.actor(a).events, is_poll)) result_.why_not = "the program polls or probes";
    }
    for (const Policy& policy : policies_)
      while (is_within_bounds() && stops_at_deadlock(graph, policy)) continue;
    return is_within_bounds();
  }

  // Adds a clause, and changes the set, if the execution leads to a deadlock. Then it must be replayed again.
  bool stops_at_deadlock(const Graph& graph, const Policy& policy) {
    std::vector<Clause> found;
    replay_.run(graph, policy, [&](const buffering::PolicyOutcome& outcome) {
      if (!outcome.complete) found.push_back(waiting_sends(graph, outcome));
    });
    if (found.empty()) return false;
    for (Clause& clause : found) {
      if (clause.empty()) result_.why_not = "a rank waits for ever, and no send waits";
      clauses_.push_back(std::move(clause));
    }
    if (!result_.why_not.empty()) return false;
    buffered_.clear();
    for (const std::uint32_t number : buffering::hitting_set(clauses_)) buffered_.insert(sites_[number].site);
    has_changed_ = true;
    return true;
  }

  Clause waiting_sends(const Graph& graph, const buffering::PolicyOutcome& outcome) {
    Clause clause;
    for (std::uint32_t a = 0; a < graph.actor_count(); ++a) {
      const std::vector<Event>& events = graph.actor(a).events;
      const bool is_open = outcome.happened[a] == events.size();
      const history::Node& node = is_open ? *graph.actor(a).node : *events[outcome.happened[a]].node;
      if (!is_open && events[outcome.happened[a]].kind == graph::EventKind::send)
        add(graph, {a, outcome.happened[a]}, clause);
      const auto* observe = std::get_if<Observe>(&node.operation);
      if (observe == nullptr) continue;
      for (const RequestId request : observe->requests) {
        const EventRef started{a, graph.actor(a).requests[request.value]};
        if (graph.event(started).kind == graph::EventKind::send && !is_taken(outcome, started))
          add(graph, started, clause);
      }
    }
    std::ranges::sort(clause);
    clause.erase(std::unique(clause.begin(), clause.end()), clause.end());
    return clause;
  }

  static bool is_taken(const buffering::PolicyOutcome& outcome, EventRef send) {
    return std::ranges::any_of(outcome.matches, [send](const auto& match) { return match.second == send; });
  }

  // Only sends that buffering helps, and that are not buffered.
  void add(const Graph& graph, EventRef send, Clause& clause) {
    const SendMode mode = graph.send_of(send).mode;
    const history::Node& node = *graph.event(send).node;
    if (mode == SendMode::buffered || mode == SendMode::synchronous || buffered_.contains(node.site)) return;
    const auto [known, is_new] = numbers_.try_emplace(node.site, static_cast<std::uint32_t>(sites_.size()));
    if (is_new) {
      history_->visit(&node);
      sites_.push_back({node.site, ActorId{send.actor}, program_.describe(ActorId{send.actor})});
    }
    clause.push_back(known->second);
  }

  Program& program_;
  const ExploreOptions& options_;
  verdict::Watch watch_;
  buffering::PolicyReplay replay_;
  std::vector<Policy> policies_;
  history::History* history_ = nullptr;  // of the current round
  std::vector<BufferedSite> sites_;
  std::map<std::uint64_t, std::uint32_t> numbers_;  // by site
  std::vector<Clause> clauses_;
  std::unordered_set<std::uint64_t> buffered_;
  bool has_changed_ = false;  // in this round
  NeededBuffers result_;
};

}  // namespace

NeededBuffers needed_buffers(Program& program, const ExploreOptions& options) { return Repair(program, options).run(); }

}  // namespace rehearse::mc
