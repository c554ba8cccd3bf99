// SPDX-License-Identifier: MIT
//
// See collectives.hpp.
#include "simcore/engine/collectives.hpp"

#include <algorithm>

#include "simcore/collective_schedule.hpp"
#include "simcore/engine/agreement.hpp"
#include "simcore/engine/contributions.hpp"

namespace rehearse::engine {

namespace {

// The kind of the operation; without a hint, the kind that its flow of data suggests.
CollectiveKind kind_of(const Collective& operation) {
  if (operation.hints.kind != CollectiveKind::by_flow) return operation.hints.kind;
  const bool has_segments = !operation.segment_bytes.empty();
  switch (operation.flow) {
    case Flow::root_to_all: return has_segments ? CollectiveKind::scatterv : CollectiveKind::broadcast;
    case Flow::all_to_root: return operation.combining ? CollectiveKind::reduce : CollectiveKind::gatherv;
    case Flow::prefix: return CollectiveKind::scan;
    case Flow::nobody:
    case Flow::optional: return CollectiveKind::barrier;
    case Flow::all_to_all: break;
  }
  if (has_segments) return operation.combining ? CollectiveKind::reduce_scatter : CollectiveKind::alltoallv;
  return operation.combining ? CollectiveKind::allreduce : CollectiveKind::allgatherv;
}

}  // namespace

void Collectives::make_schedule(Instance& instance, const Collective& operation) {
  CollectiveShape shape;
  shape.kind = kind_of(operation);
  shape.root = instance.root;
  shape.members = static_cast<std::uint32_t>(instance.members.size());
  shape.is_combining = instance.is_combining;
  shape.is_commutative = operation.hints.is_commutative;
  shape.elements = operation.hints.elements;
  shape.bytes = operation.contribution.size();
  shape.total_bytes = operation.hints.total_bytes;
  shape.first_group = operation.groups.first;
  shape.hosts = spaces_.hosts(instance);
  instance.schedule = run_.options.collectives->find(shape);
}

Request& Collectives::call(ActorId id, ActorState& actor, const Collective& operation) {
  actors_.note_interaction(actor);
  const auto [instance, index] = spaces_.enter(id, operation);
  Request& request = requests_.make(id, operation.request, Request::Kind::collective);
  request.instance = &instance;
  request.member = index;
  instance.members[index].request = &request;
  Contributions::keep(instance, index, operation);
  Contributions::keep_remark(instance, index, operation);
  ++instance.arrived;
  instance.last_arrival = std::max(instance.last_arrival, actor.began);
  if (index == instance.root) instance.root_arrival = actor.began;
  while (instance.in_prefix < instance.members.size() && instance.members[instance.in_prefix].request)
    ++instance.in_prefix;
  compare(instance, index, operation);
  if (!instance.is_broken) {
    const bool is_known = instance.root != another_root &&
                          (operation.flow != Flow::root_to_all || index == operation.root || instance.schedule);
    if (is_known && !instance.schedule) {
      make_schedule(instance, operation);
      for (std::uint32_t i = 0; i < instance.members.size(); ++i)
        if (instance.members[i].request) rounds_.go_through(instance, i);
    } else if (instance.schedule) {
      rounds_.go_through(instance, index);
    } else {
      rounds_.finish_member(instance, index);
    }
    if (run_.options.synchronising_collectives && instance.arrived == instance.members.size())
      for (std::uint32_t i = 0; i < instance.members.size(); ++i) rounds_.finish_member(instance, i);
  }
  return request;
}

}  // namespace rehearse::engine
