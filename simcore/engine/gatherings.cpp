// SPDX-License-Identifier: MIT
//
// See gatherings.hpp.
#include "simcore/engine/gatherings.hpp"

#include <algorithm>

#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::engine {

Gatherings::Gatherings(RunState& run, ActorTable& actors, Agenda& agenda)
    : run_(run), actors_(actors), agenda_(agenda) {
  // Nobody may measure what actors do before its date.
  runs_ahead_ = are_on() && run.options.application_cost == ApplicationCost::none;
}

// Contributions of equal sizes, of which nobody knows the content.
bool Gatherings::take(const Collective& operation) {
  if (!are_on() || !operation.blocking || operation.flow != Flow::all_to_all || operation.groups.first != 0)
    return false;
  if (operation.contribution.data() != nullptr || !operation.remark.empty()) return false;
  if (operation.members.size() != actors_.size()) return false;
  switch (operation.hints.kind) {
    case CollectiveKind::barrier:
    case CollectiveKind::allreduce:
    case CollectiveKind::allgather:
    case CollectiveKind::alltoall:
    case CollectiveKind::reduce_scatter_block: return true;
    default: return false;
  }
}

Gatherings::Space& Gatherings::space_of(const Collective& operation) {
  const std::uint64_t context = operation.context.value;
  if (!spaces_.empty() && context == last_context_) return spaces_[last_number_];
  const auto [known, is_new] = number_of_.try_emplace(context, static_cast<std::uint32_t>(spaces_.size()));
  if (is_new) {
    Space& space = spaces_.emplace_back();
    space.number = known->second;
    space.members.assign(operation.members.begin(), operation.members.end());
  }
  last_context_ = context;
  last_number_ = known->second;
  return spaces_[last_number_];
}

void Gatherings::start(Space& space, ActorId id, const Collective& operation) {
  space.first = id;
  space.name = operation.name;
  space.name_at = operation.name.data();
  space.latest = {};
  CollectiveShape& shape = space.shape;
  shape.kind = operation.hints.kind;
  shape.members = static_cast<std::uint32_t>(space.members.size());
  shape.is_combining = operation.combining;
  shape.is_commutative = operation.hints.is_commutative;
  shape.elements = operation.hints.elements;
  shape.bytes = operation.contribution.size();
  shape.total_bytes = operation.hints.total_bytes;
}

bool Gatherings::is_same(const Space& space, ActorId id, const Collective& operation) {
  const bool is_named_alike = space.name.size() == operation.name.size() &&
                              (space.name_at == operation.name.data() || space.name == operation.name);
  if (is_named_alike && space.shape.kind == operation.hints.kind && space.shape.bytes == operation.contribution.size())
    return true;
  const std::string_view noun = run_.program.actor_noun();
  run_.fail(fmt::format("{} {} calls {} with {} bytes where {} {} calls {} with {} bytes: collective number {} of "
                        "their context",
                        noun, id.value, operation.name, operation.contribution.size(), noun, space.first.value,
                        space.name, space.shape.bytes, space.count + 1));
  return false;
}

bool Gatherings::enter(ActorId id, ActorState& actor, const Collective& operation, TimePoint arrival) {
  actors_.note_interaction(actor);
  Space& space = space_of(operation);
  REHEARSE_ASSERT(space.members.size() == operation.members.size(), "a context has always the same members");
  if (space.arrived == 0) start(space, id, operation);
  else if (!is_same(space, id, operation)) return false;
  actor.began = arrival;
  space.latest = std::max(space.latest, arrival);
  actors_.wait(actor, Wait::gathering);
  if (++space.arrived == space.members.size()) close(space);
  return false;
}

void Gatherings::close(Space& space) {
  const Duration takes = run_.options.collective_times->duration(space.shape);
  const std::size_t segments = space.shape.kind == CollectiveKind::alltoall ? space.members.size() : 1;
  const std::span<const std::byte> part{static_cast<const std::byte*>(nullptr), space.shape.bytes / segments};
  if (space.contributions.empty() || space.contributions.front().size() != part.size())
    space.contributions.assign(space.members.size(), part);
  space.arrived = 0;
  ++space.count;
  agenda_.set_passage_timer(Timer::Kind::gathering, space.number, 0, space.latest + takes);
}

void Gatherings::end(std::uint32_t number) {
  const Space& space = spaces_[number];
  for (const ActorId id : space.members) {
    actors_[id].partner = space.latest;
    actors_.make_ready(id);
  }
}

}  // namespace rehearse::engine
