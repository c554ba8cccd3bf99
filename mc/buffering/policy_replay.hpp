// SPDX-License-Identifier: MIT
//
// Replays an explored execution under a policy: it completes, it stops at a deadlock of that policy, or it stops at a
// state that another explored execution continues.
//
// The replay is greedy: every event that can happen happens, but only with the matches of the execution. A step never
// forbids another one, so the final state does not depend on the order. It is a real deadlock if no actor could move in
// any other way either. Receives that the execution left undecided are free: the replay follows every way to match
// them. Under Policy::mixed, it also follows every choice of sends that wait, as far as it matters where actors stop.
//
// Time:   linear in the execution. If messages do not match in order, times the number of open receives and messages.
// Source: docs/soundness.md, "One exploration, every policy", has the argument.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "mc/buffering/open_list.hpp"
#include "mc/explore_options.hpp"
#include "mc/graph/graph.hpp"
#include "mc/reduction/actor_set.hpp"

namespace rehearse::mc::buffering {

using graph::EventIndex;
using graph::EventRef;

struct PolicyOutcome {
  bool complete = false;                               // every actor ended or failed
  std::vector<EventIndex> happened;                    // per actor: the number of its events that happened
  std::vector<std::pair<EventRef, EventRef>> matches;  // receive and message
  std::vector<EventRef> waiting;  // under Policy::mixed: the only standard sends that are not buffered
};

// A hash of the observations of all actors in the outcome. Executions of one class have the same hash.
history::Hash128 class_of(const graph::Graph& graph, const PolicyOutcome& outcome);

// Whether the policy can make an actor of this graph wait that did not wait in the exploration.
bool restricts(const graph::Graph& graph, const Policy& policy);

// Whether there are collectives in which some member does not need all others.
bool has_partial_collectives(const graph::Graph& graph);

class PolicyReplay {
 public:
  using Visitor = std::function<void(const PolicyOutcome&)>;

  // Called from time to time. False stops the replay.
  using GoesOn = std::function<bool()>;

  explicit PolicyReplay(GoesOn goes_on) : goes_on_(std::move(goes_on)) {}

  // Calls `visit` for the completed execution or for each deadlock that this execution leads to. False: the replay was
  // stopped, and there may be more outcomes.
  bool run(const graph::Graph& graph, const Policy& policy, const Visitor& visit);

  // Under Policy::mixed, at most so many choices are followed in one execution.
  static constexpr std::uint32_t most_choices = 100'000;

  // Whether the last replay ended because of most_choices, so that there may be more outcomes.
  bool is_cut_off() const { return choices_ > most_choices; }

  // From now on, standard sends at these sites (Node::site) are buffered, whatever the policy. Null: none. They must
  // outlive the replays.
  void buffer(const std::unordered_set<std::uint64_t>* sites) { buffered_sites_ = sites; }

 private:
  // The progress of the replay.
  struct State {
    std::vector<EventIndex> at;                  // per actor: its next event
    std::vector<OpenList<EventIndex>> receives;  // per actor: posted, and neither matched nor withdrawn
    std::vector<OpenList<EventRef>> messages;    // per receiver: issued and not matched
    std::vector<std::uint64_t> unmatched_bytes;  // per sender and receiver
  };

  void start();
  void settle();
  bool goes_on();
  void advance(std::uint32_t actor);
  void pass(std::uint32_t actor);
  void reach(std::uint32_t actor);
  void fire(std::uint32_t receiver);
  void match(EventRef post, EventRef send);
  void forget_settled(std::uint32_t receiver);
  bool can_happen(std::uint32_t actor, const graph::Event& event) const;
  bool observed(std::uint32_t actor, const graph::Event& event) const;
  bool request_complete(std::uint32_t actor, RequestId request) const;
  bool send_complete(EventRef send) const;
  bool collective_done(EventRef arrival) const;
  struct Known {
    EventIndex by;  // this probe of the actor reported it
    EventRef send;
  };

  void find_denials();
  bool is_in_doubt(std::uint32_t actor, EventIndex probe, const Known& known) const;
  const Pattern& denied(std::uint32_t actor, EventIndex probe) const;
  bool deniable(std::uint32_t actor, EventIndex probe) const;
  bool hides(std::uint32_t receiver, EventIndex post) const;
  bool issued(EventRef send) const;
  bool gone(EventRef send) const;
  bool waiting(std::uint32_t receiver, EventIndex post) const;
  bool allowed(std::uint32_t receiver, EventIndex post, EventRef send) const;
  bool is_overtaken(std::uint32_t receiver, const Pattern& pattern, EventRef send) const;
  bool visible(std::uint32_t actor, const Pattern& pattern, EventRef send) const;
  bool could_answer_otherwise(std::uint32_t actor) const;
  void explore_rest(const Visitor& visit);
  void follow_rest(const Visitor& visit);
  // An actor that waits for standard sends which nothing has decided on yet.
  struct Stop {
    std::vector<EventRef> sends;  // to be buffered, or to wait
    bool may_stay = true;         // it stays if they wait
  };
  std::optional<Stop> next_stop() const;
  std::optional<Stop> stop_of(std::uint32_t actor) const;
  Stop stop_at(std::uint32_t actor, const graph::Event& event, const Observe& observe) const;
  bool is_open_send(EventRef started) const;
  void hold(const Stop& stop, const Visitor& visit);
  bool holds_matched_send() const;
  std::vector<EventRef> waiting_sends() const;
  bool match_forced();
  std::optional<EventRef> forced_message(std::uint32_t receiver, EventIndex post) const;
  bool follow_matches_of(std::uint32_t receiver, const Visitor& visit);
  void mark(EventRef post, EventRef send, bool fired);
  bool all_ended() const;
  void emit(const Visitor& visit, bool complete);

  const graph::Graph* graph_ = nullptr;
  const std::unordered_set<std::uint64_t>* buffered_sites_ = nullptr;
  Policy policy_;
  GoesOn goes_on_;
  std::uint32_t steps_ = 0;
  bool stopped_ = false;
  State state_;
  reduction::ActorSet may_move_{0}, may_move_later_{0};  // members of a collective, tried after all others
  std::vector<std::vector<Known>> known_;                // per actor, in the order of its events
  std::vector<std::vector<EventIndex>> denials_;  // per actor: refused probes that a known message may contradict
  std::vector<std::vector<std::uint8_t>> fired_;  // per event: 1 for a send or receive that is matched
  std::vector<std::pair<EventRef, EventRef>> matches_;
  // Under Policy::mixed: the standard sends that were decided on.
  std::set<EventRef> buffered_;
  std::vector<EventRef> held_;
  std::uint32_t choices_ = 0;
};

}  // namespace rehearse::mc::buffering
