// SPDX-License-Identifier: MIT
//
// The publications of each actor at each moment of an execution, and the events that must happen before them.
//
// A state of an actor lasts from one publication to the next. States of different actors can hold at the same time, in
// some order of the events of the execution, if and only if this is true for each two of them: the events that must
// happen before one state begins do not include an event after the end of the other.
//
// Source: Garg, Waldecker, "Detection of Weak Unstable Predicates in Distributed Programs", IEEE TPDS 5(3), 1994 (pairs
//         suffice); Cooper, Marzullo, "Consistent Detection of Global Predicates", 1991. Departure: the past of an
//         event includes the receives for which sends waited.
#pragma once

#include <cstdint>
#include <vector>

#include "mc/buffering/policy_replay.hpp"
#include "mc/explore_options.hpp"
#include "mc/graph/graph.hpp"

namespace rehearse::mc::predicates {

using graph::EventIndex;

// For each actor and number of its events: how many events of each other actor must happen first.
class Clocks {
 public:
  virtual ~Clocks() = default;
  virtual std::uint32_t needs(std::uint32_t actor, EventIndex events, std::uint32_t of) const = 0;
};

class WaitingClocks final : public Clocks {
 public:
  // The clocks of the execution with this outcome. The policy must buffer all sends or none.
  WaitingClocks(const graph::Graph& graph, const Policy& policy, const buffering::PolicyOutcome& outcome);

  std::uint32_t needs(std::uint32_t actor, EventIndex events, std::uint32_t of) const override {
    return events == 0 ? 0 : clocks_[actor][(events - 1) * clocks_.size() + of];
  }

 private:
  struct Wait {
    std::uint32_t actor;
    EventIndex events;      // before the actor can continue after so many events...
    graph::EventRef needs;  // ... this event must happen
  };
  std::vector<Wait> waits_of(const graph::Graph& graph, const Policy& policy,
                             const buffering::PolicyOutcome& outcome) const;
  bool join(std::uint32_t actor, EventIndex events, std::uint32_t other, EventIndex other_events);
  void close(const std::vector<Wait>& waits);

  std::vector<std::vector<std::uint32_t>> clocks_;
};

// A value or predicate that an actor published.
struct Publication {
  EventIndex events = 0;  // number of events of the actor before it
  const Published* published = nullptr;
};

// For each actor, its publications up to `happened` events, in order.
std::vector<std::vector<Publication>> publications_of(const graph::Graph& graph,
                                                      const std::vector<EventIndex>& happened);

}  // namespace rehearse::mc::predicates
