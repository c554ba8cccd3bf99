// SPDX-License-Identifier: MIT
//
// What becomes of an explored execution under a policy: it completes, or it gets stuck at a state that is a deadlock
// of that policy, or nothing can be said (another explored execution covers it).
//
// The events of the execution are replayed greedily: whatever can happen happens, but only the matches of the execution
// are made. Making a step never forbids another one, so the place where this stops does not depend on the order. It is
// a real deadlock if there nobody could move in any other way either. Receives that the execution left undecided are
// free: every way to match them is followed.
//
// Source: the argument is written down in docs/soundness.md, "One exploration, every policy".
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "mc/explore.hpp"
#include "mc/graph/graph.hpp"

namespace rehearse::mc {

struct PolicyOutcome {
  bool complete = false;                 // every actor ended or failed
  std::vector<EventIndex> happened;      // per actor: how many of its events happened
  std::vector<std::pair<EventRef, EventRef>> matches;  // receive and message, of all that were matched
};

// What the actors observed up to there: equal for executions of one class. `matched` says who took what.
Hash128 class_of(const Graph& graph, const PolicyOutcome& outcome);

// Whether in this graph the policy makes anybody wait who did not wait in the exploration.
bool restricts(const Graph& graph, const Policy& policy);

// Whether there are collectives in which not everybody needs everybody.
bool has_partial_collectives(const Graph& graph);

class PolicyReplay {
 public:
  using Visitor = std::function<void(const PolicyOutcome&)>;

  // Calls back for the one completed execution or each deadlock that this execution leads to.
  void run(const Graph& graph, const Policy& policy, const Visitor& visit);

 private:
  void settle();
  bool advance(std::uint32_t actor);
  bool fire(std::uint32_t receiver);
  bool can_happen(std::uint32_t actor, const Event& event) const;
  bool observed(std::uint32_t actor, const Event& event) const;
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
  bool visible(std::uint32_t actor, const Pattern& pattern, EventRef send) const;
  bool could_answer_otherwise(std::uint32_t actor) const;
  void explore_rest(const Visitor& visit);
  void set_fired(EventRef post, EventRef send, bool fired);
  bool all_ended() const;
  void emit(const Visitor& visit, bool complete);

  const Graph* graph_ = nullptr;
  Policy policy_;
  std::vector<EventIndex> at_;
  std::vector<std::vector<Known>> known_;                 // per actor, in its order
  std::vector<std::vector<EventIndex>> denials_;          // per actor: refused probes that one of these may contradict
  std::vector<std::vector<std::uint8_t>> fired_;          // per event: a send or a receive that has been matched
  std::vector<std::pair<EventRef, EventRef>> matches_;
};

}  // namespace rehearse::mc
