// SPDX-License-Identifier: MIT
//
// Completion of a collective for one member, and agreement between members.
#include "mc/graph/collective_instance.hpp"

#include <algorithm>

namespace rehearse::mc::graph {

namespace {

// The call of one member.
struct Call {
  const history::Node& node;
  std::size_t member;  // the index of the member
  const Collective& operation() const { return std::get<Collective>(node.operation); }
};

bool agree_on_root(const Call& a, const Call& b) {
  return rehearse::agree_on_root(a.operation().groups.first, {static_cast<std::uint32_t>(a.member), a.operation().root},
                                 {static_cast<std::uint32_t>(b.member), b.operation().root});
}

// For a single group, `collective_hash` covers the root, too.
bool agree(const Call& a, const Call& b) {
  if (a.node.collective_hash != b.node.collective_hash) return false;
  return !clash_of(a.operation(), a.member, b.operation(), b.member) &&
         (a.operation().groups.first == 0 || agree_on_root(a, b));
}

}  // namespace

std::size_t position_in(const Collective& op, std::uint32_t actor) {
  if (actor < op.members.size() && op.members[actor].value == actor) return actor;
  return static_cast<std::size_t>(std::find(op.members.begin(), op.members.end(), ActorId{actor}) - op.members.begin());
}

bool collective_complete(const Graph& graph, EventRef arrival, std::span<const std::uint32_t> visible, bool everybody) {
  const Event& mine = graph.event(arrival);
  const Collective& op = std::get<Collective>(mine.node->operation);
  const CollectiveInstance& instance = *mine.instance;
  everybody = everybody || needs_everybody(op);
  if (everybody && instance.arrived < op.members.size()) return false;
  const std::size_t self = everybody && op.groups.first == 0 ? 0 : position_in(op, arrival.actor);
  for (std::size_t i = 0; i < op.members.size(); ++i) {
    const std::uint32_t member = op.members[i].value;
    if (member == arrival.actor || (!everybody && !needs(op, self, i))) continue;
    const EventIndex other = instance.arrivals[member];
    if (other == no_event || other >= visible[member]) return false;
    if (!agree({*mine.node, self}, {*graph.event({member, other}).node, i})) return false;
  }
  return true;
}

void join_collective(Graph& graph, EventRef arrival, std::uint32_t actor) {
  const Event& mine = graph.event(arrival);
  const Collective& op = std::get<Collective>(mine.node->operation);
  if (needs_everybody(op)) return graph.join(actor, *mine.instance);
  const std::size_t self = position_in(op, arrival.actor);
  for (std::size_t i = 0; i < op.members.size(); ++i)
    if (const std::uint32_t member = op.members[i].value; needs(op, self, i))
      graph.join(actor, EventRef{member, mine.instance->arrivals[member]});
}

std::optional<Disagreement> disagreement_of(const Graph& graph, EventRef arrival) {
  const Event& event = graph.event(arrival);
  const Collective& op = std::get<Collective>(event.node->operation);
  const Call mine{*event.node, position_in(op, arrival.actor)};
  for (std::size_t i = 0; i < op.members.size(); ++i) {
    const EventRef other{op.members[i].value, event.instance->arrivals[op.members[i].value]};
    if (other.event == no_event) continue;
    const Call theirs{*graph.event(other).node, i};
    if (agree(mine, theirs)) continue;
    if (op.name != theirs.operation().name) return Disagreement{other, "operation"};
    if (!agree_on_root(mine, theirs)) return Disagreement{other, "root"};
    const SignatureClash clash = clash_of(op, mine.member, theirs.operation(), i);
    return Disagreement{other, what_differs(clash.one, clash.other)};
  }
  return std::nullopt;
}

}  // namespace rehearse::mc::graph
