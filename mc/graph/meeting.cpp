// SPDX-License-Identifier: MIT
//
// When a collective is complete for a member.
#include "mc/graph/meeting.hpp"

#include <algorithm>

namespace rehearse::mc {

namespace {

bool agree(const Node& a, const Node& b) {
  const std::uint64_t mine = std::get<Collective>(a.operation).signature;
  const std::uint64_t theirs = std::get<Collective>(b.operation).signature;
  return a.meets == b.meets && (mine == theirs || mine == 0 || theirs == 0);
}

}  // namespace

std::size_t position_in(const Collective& op, std::uint32_t actor) {
  if (actor < op.members.size() && op.members[actor].value == actor) return actor;
  return static_cast<std::size_t>(std::find(op.members.begin(), op.members.end(), ActorId{actor}) -
                                  op.members.begin());
}

bool needs(const Collective& op, std::size_t self, std::size_t other) {
  switch (op.flow) {
    case Flow::all_to_all: return true;
    case Flow::root_to_all: return other == op.root;
    case Flow::all_to_root: return self == op.root;
    case Flow::prefix: return other <= self;
    case Flow::nobody: return false;
  }
  return true;
}

bool collective_complete(const Graph& graph, EventRef arrival, std::span<const std::uint32_t> visible, bool everybody) {
  const Event& mine = graph.event(arrival);
  const Collective& op = std::get<Collective>(mine.node->operation);
  const Meeting& meeting = *mine.meeting;
  everybody = everybody || op.flow == Flow::all_to_all;
  if (everybody && meeting.arrived < op.members.size()) return false;
  const std::size_t self = everybody ? 0 : position_in(op, arrival.actor);
  for (std::size_t i = 0; i < op.members.size(); ++i) {
    const std::uint32_t member = op.members[i].value;
    if (member == arrival.actor || (!everybody && !needs(op, self, i))) continue;
    const EventIndex other = meeting.arrivals[member];
    if (other == no_event || other >= visible[member]) return false;
    if (!agree(*mine.node, *graph.event({member, other}).node)) return false;
  }
  return true;
}

void join_collective(Graph& graph, EventRef arrival, std::uint32_t actor) {
  const Event& mine = graph.event(arrival);
  const Collective& op = std::get<Collective>(mine.node->operation);
  if (op.flow == Flow::all_to_all) return graph.join(actor, *mine.meeting);
  const std::size_t self = position_in(op, arrival.actor);
  for (std::size_t i = 0; i < op.members.size(); ++i)
    if (needs(op, self, i)) graph.join(actor, {op.members[i].value, mine.meeting->arrivals[op.members[i].value]});
}

std::optional<EventRef> disagreeing(const Graph& graph, EventRef arrival) {
  const Event& mine = graph.event(arrival);
  for (const ActorId member : std::get<Collective>(mine.node->operation).members) {
    const EventRef other{member.value, mine.meeting->arrivals[member.value]};
    if (other.event != no_event && !agree(*mine.node, *graph.event(other).node)) return other;
  }
  return std::nullopt;
}

}  // namespace rehearse::mc
