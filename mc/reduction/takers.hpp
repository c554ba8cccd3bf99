// SPDX-License-Identifier: MIT
//
// The senders whose messages an observation or a decision takes.
#pragma once

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstdint>

#include "mc/graph/graph.hpp"

namespace rehearse::mc::reduction {

// Calls visit(EventRef) with the messages that the observation or decision reports to the actor with this option, in
// its order; none if a poll gets the answer "no".
template <class Visit>
void for_each_taken(const graph::Graph& graph, graph::EventRef observation, const graph::Option& option,
                    Visit&& visit) {
  if (!option.flag || option.starved) return;
  if (option.probed.event != graph::no_event) visit(option.probed);
  for (const graph::Match& match : option.matches) visit(match.send);
  const graph::Event& event = graph.event(observation);
  const auto* observe = std::get_if<Observe>(&event.node->operation);
  if (event.kind != graph::EventKind::observe || !observe || observe->quantifier == Quantifier::all) return;
  const graph::Graph::Actor& actor = graph.actor(observation.actor);
  for (const std::uint32_t i : option.completed) {  // messages that earlier decisions matched
    const graph::Event& started = actor.events[actor.requests[observe->requests[i].value]];
    if (started.kind == graph::EventKind::post && started.partner.event != graph::no_event &&
        started.decided_by < observation.event)
      visit(started.partner);
  }
}

using Senders = boost::container::small_vector<std::uint32_t, 4>;

inline Senders senders_of(const graph::Graph& graph, graph::EventRef observation, const graph::Option& option) {
  Senders senders;
  for_each_taken(graph, observation, option, [&](graph::EventRef sent) { senders.push_back(sent.actor); });
  return senders;
}

// Whether the two sets contain messages of different actors.
inline bool are_of_others(const Senders& one, const Senders& other) {
  if (one.empty() || other.empty() || one == other) return false;
  const auto is_first = [&](std::uint32_t sender) { return sender == one.front(); };
  return !std::all_of(one.begin(), one.end(), is_first) || !std::all_of(other.begin(), other.end(), is_first);
}

// The receive from any source that the option decides, or the observation itself if it decides none or several.
inline graph::EventIndex taker_of(const graph::Graph& graph, graph::EventRef observation, const graph::Option& option) {
  if (option.matches.size() != 1) return observation.event;
  const graph::EventIndex post = option.matches[0].post;
  return graph.pattern_of(observation.actor, post).source ? observation.event : post;
}

// Identifies the place of the taker in its actor's program.
inline history::Hash128 place_of(const graph::Graph& graph, graph::EventRef taker) {
  const history::Node& node = *graph.event(taker).node;
  const std::uint64_t words[] = {0x7ace, taker.actor, node.site ? node.site : node.depth, node.site != 0};
  return history::hash_bytes(words, sizeof words);
}

}  // namespace rehearse::mc::reduction
