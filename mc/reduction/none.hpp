// SPDX-License-Identifier: MIT
//
// No reduction: every interleaving of sends, posted receives, matches and observations under one policy, each state
// once. The judge of the other reductions; for small programs only.
//
// Memory: one hash per state, and the recursion is as deep as an execution is long.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_set>
#include <vector>

#include "mc/buffering/policy_replay.hpp"
#include "mc/explore.hpp"
#include "mc/graph/graph.hpp"
#include "mc/history/history.hpp"

namespace rehearse::mc {

class None {
 public:
  // Called with each state in which nothing can happen any more; false stops.
  using Visitor = std::function<bool(const Graph&, const PolicyOutcome&)>;

  None(History& history, std::uint32_t actors, const Policy& policy, std::uint32_t polls);

  bool run(const Visitor& visit);
  std::uint64_t states() const { return seen_.size(); }

 private:
  struct HashOfHash {
    std::size_t operator()(const Hash128& h) const { return h.low; }
  };

  bool explore(const Visitor& visit);
  bool match_something(const Visitor& visit, bool& moved);
  bool step(std::uint32_t actor, const Visitor& visit, bool& moved);
  bool start(std::uint32_t actor, const Visitor& visit);
  bool observe(std::uint32_t actor, Option option, const Visitor& visit);
  bool answer_observe(std::uint32_t actor, const Observe& op, const Visitor& visit, bool& moved);
  bool answer_probe(std::uint32_t actor, const Probe& op, const Visitor& visit, bool& moved);
  bool may_refuse(std::uint32_t actor) const;
  bool matched(EventRef e) const { return graph_.event(e).partner.event != no_event; }
  // Nothing finds it any more: matched, taken by a probe, or a receive that was withdrawn.
  bool gone(EventRef e) const { return matched(e) || graph_.event(e).decided_by != no_event; }
  bool fits(std::uint32_t receiver, EventIndex post, EventRef send) const;
  bool visible(std::uint32_t actor, const Pattern& pattern, EventRef send) const;
  bool send_complete(EventRef send) const;
  bool complete(std::uint32_t actor, RequestId request) const;
  Hash128 state() const;
  PolicyOutcome outcome() const;

  History& history_;
  Graph graph_;
  Policy policy_;
  std::uint32_t polls_;
  std::vector<std::uint32_t> all_;
  std::unordered_set<Hash128, HashOfHash> seen_;
};

}  // namespace rehearse::mc
