// SPDX-License-Identifier: MIT
//
// Collectives in the execution graph: the arrivals that each member needs, and completion.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "mc/graph/graph.hpp"
#include "simcore/collective_flow.hpp"

namespace rehearse::mc::graph {

// The actor's index among the members.
std::size_t position_in(const Collective& collective, std::uint32_t actor);

// Whether the collective of event `arrival` can complete for this member: the members that it needs (`everybody`: all
// members) have arrived among the first visible[a] events of each actor a, and agree on the arguments.
bool collective_complete(const Graph& graph, EventRef arrival, std::span<const std::uint32_t> visible, bool everybody);

// Adds the arrivals that `arrival` needed to the past of the actor's last event.
void join_collective(Graph& graph, EventRef arrival, std::uint32_t actor);

// Another member's arrival at the same collective, with arguments that disagree.
struct Disagreement {
  EventRef with;
  const char* on = "";  // "operation", "root", or the text of what_differs() for their signatures
};
std::optional<Disagreement> disagreement_of(const Graph& graph, EventRef arrival);

// Calls visit(EventRef) with the arrivals of other members that `arrival` needs, if they are in the graph.
template <class Visit>
void for_each_needed(const Graph& graph, EventRef arrival, Visit&& visit) {
  const Event& mine = graph.event(arrival);
  const Collective& collective = std::get<Collective>(mine.node->operation);
  const std::size_t self = position_in(collective, arrival.actor);
  for (std::size_t i = 0; i < collective.members.size(); ++i) {
    const std::uint32_t member = collective.members[i].value;
    const EventIndex there = mine.instance->arrivals[member];
    if (member != arrival.actor && there != no_event && needs(collective, self, i)) visit(EventRef{member, there});
  }
}

// Calls visit(EventRef) with the needed arrivals of other members at the collectives that the actor's observation finds
// complete with this option.
template <class Visit>
void for_each_awaited_arrival(const Graph& graph, std::uint32_t actor, const Event& observation, const Option& option,
                              Visit&& visit) {
  const auto* observe = std::get_if<Observe>(&observation.node->operation);
  if (observation.kind != EventKind::observe || !observe || !option.flag || option.starved) return;
  const auto look = [&](RequestId request) {
    const EventRef started{actor, graph.actor(actor).requests[request.value]};
    if (graph.event(started).kind == EventKind::arrive) for_each_needed(graph, started, visit);
  };
  if (observe->quantifier == Quantifier::all)
    for (const RequestId request : observe->requests) look(request);
  else
    for (const std::uint32_t i : option.completed) look(observe->requests[i]);
}

// Calls visit(EventRef) with all events of other actors that the actor's observation or decision reads with this
// option.
template <class Visit>
void for_each_read(const Graph& graph, std::uint32_t actor, const Event& observation, const Option& option,
                   Visit&& visit) {
  for (const Match& match : option.matches) visit(match.send);
  if (option.probed.event != no_event) visit(option.probed);
  for_each_awaited_arrival(graph, actor, observation, option, visit);
}

}  // namespace rehearse::mc::graph
