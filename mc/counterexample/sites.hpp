// SPDX-License-Identifier: MIT
//
// The call sites of the events of a graph.
//
// Cost: one look-up for each place of the program, if the Program can distinguish places; otherwise one for each event.
//       A look-up replays the actor up to the event.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "mc/counterexample/follower.hpp"
#include "mc/decision.hpp"
#include "mc/graph/graph.hpp"

namespace rehearse::mc::counterexample {

class Sites {
 public:
  Sites(Program& program, history::History& history) : program_(program), history_(history) {}

  CallSite of(const graph::Graph& graph, graph::EventRef event);
  // The call with its arguments. Replays the actor up to the event.
  std::string call_in_full(const graph::Graph& graph, graph::EventRef event);
  // The site of the actor's next call, as if its observation were already an event.
  CallSite of_next(const graph::Graph& graph, std::uint32_t actor);

  // A decision that was forced or taken in this graph. The graph must contain all its events.
  Decision decision(const graph::Graph& graph, graph::EventRef event, const Forced& forced);

 private:
  struct Place {
    std::string call, function, file;
    int line = 0;
  };

  const Place& place(const history::Node& node);
  CallSite named(const graph::Graph& graph, const history::Node& node, graph::EventKind kind, graph::EventIndex before);
  Meaning meaning(const graph::Graph& graph, const history::Node& node, const Answer& answer) const;
  graph::EventRef started(const graph::Graph& graph, ActorId actor, RequestId request) const;

  Program& program_;
  history::History& history_;
  std::map<std::tuple<std::uint32_t, std::uint64_t, std::size_t>, Place> places_;  // actor, site, operation
  std::map<std::pair<std::uint32_t, std::uint64_t>, Place> unnamed_;  // actor, history: for nodes without a site
};

}  // namespace rehearse::mc::counterexample
