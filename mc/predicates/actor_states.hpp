// SPDX-License-Identifier: MIT
//
// The publications of each actor at each moment of an execution, and the events that must happen before them.
//
// A state of an actor begins when a value is published and ends when the next one is. States of different actors can
// be at one time, in some order of what happens in the execution, exactly where for each two of them what must have
// happened before one begins does not reach beyond the end of the other.
//
// Source: Garg, Waldecker, "Detection of Weak Unstable Predicates in Distributed Programs", IEEE TPDS 5(3), 1994 (that
//         looking at pairs suffices); Cooper, Marzullo, "Consistent Detection of Global Predicates", 1991. Departure:
//         the past of an event has in it the receives that sends waited for.
#pragma once

#include <cstdint>
#include <vector>

#include "mc/buffering/policy_replay.hpp"
#include "mc/explore_options.hpp"
#include "mc/graph/graph.hpp"

namespace rehearse::mc::predicates {

using graph::EventIndex;

// How many events of actor `of` must have happened before `actor` has gone on behind so many of its own.
class Clocks {
 public:
  virtual ~Clocks() = default;
  virtual std::uint32_t needs(std::uint32_t actor, EventIndex events, std::uint32_t of) const = 0;
};

class WaitingClocks final : public Clocks {
 public:
  // Of the execution that ends like this under this policy, whose sends are buffered all or none.
  WaitingClocks(const graph::Graph& graph, const Policy& policy, const buffering::PolicyOutcome& outcome);

  std::uint32_t needs(std::uint32_t actor, EventIndex events, std::uint32_t of) const override {
    return events == 0 ? 0 : clocks_[actor][(events - 1) * clocks_.size() + of];
  }

 private:
  struct Wait {
    std::uint32_t actor;
    EventIndex events;      // to have gone on behind so many...
    graph::EventRef needs;  // ... this one must have happened
  };
  std::vector<Wait> waits_of(const graph::Graph& graph, const Policy& policy,
                             const buffering::PolicyOutcome& outcome) const;
  bool join(std::uint32_t actor, EventIndex events, std::uint32_t other, EventIndex other_events);
  void close(const std::vector<Wait>& waits);

  std::vector<std::vector<std::uint32_t>> clocks_;
};

// Something that an actor published.
struct Publication {
  EventIndex events = 0;  // of the actor, that happened before
  const Published* published = nullptr;
};

// Of each actor all that it published before it stood behind so many of its events, in order.
std::vector<std::vector<Publication>> publications_of(const graph::Graph& graph,
                                                      const std::vector<EventIndex>& happened);

}  // namespace rehearse::mc::predicates
