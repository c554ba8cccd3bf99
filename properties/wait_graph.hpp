// SPDX-License-Identifier: MIT
//
// The wait-for graph at the end of an execution.
//
// Meaning: a blocked actor waits for needs, all of which must be met; a need is met if one of its
//          providers acts. At the end of an execution no need is ever met, so each single need of an
//          actor is a reason why it is blocked; the graph picks the one with the fewest living
//          providers. A blocked set is a set of actors whose reasons have no living provider outside.
// Source:  the AND-OR model: Hilbrich, de Supinski, Nagel, Protze, Baier, Mueller, Distributed wait
//          state tracking for runtime MPI deadlock detection, SC 2013.
#pragma once

#include <vector>

#include "simcore/outcome.hpp"

namespace rehearse::properties {

struct Need {
  std::vector<ActorId> providers;               // any of them is sufficient; ascending
  std::vector<const PendingRequest*> requests;  // the awaited requests; several only if any of them is sufficient
  std::vector<const Pattern*> probes;
};

class WaitGraph {
 public:
  // The outcome must outlive the graph.
  explicit WaitGraph(const Outcome& outcome);

  // False for an actor that only waits in MPI_Finalize: it counts as ended, unless all actors that have not ended are
  // there.
  bool is_blocked(ActorId actor) const;
  const Need& reason(ActorId actor) const { return reasons_[actor.value]; }

  // The smallest blocked sets, disjoint, each ascending; every blocked actor is in one of them, or waits directly or
  // indirectly for one.
  std::vector<std::vector<ActorId>> minimal_blocked_sets() const;

  // The blocked actors outside the set whose reasons lead into it.
  std::vector<ActorId> followers(const std::vector<ActorId>& blocked_set) const;

 private:
  std::vector<Need> needs_of(ActorId actor) const;
  void add_providers(Need& need, ActorId actor, const Pattern& pattern) const;
  std::vector<ActorId> closure(ActorId actor) const;
  std::size_t living(const Need& need) const;

  void find_leaving();

  const Outcome& outcome_;
  std::vector<bool> leaving_;  // by actor
  std::vector<Need> reasons_;  // by actor
};

}  // namespace rehearse::properties
