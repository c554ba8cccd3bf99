// SPDX-License-Identifier: MIT
//
// See causes.hpp.
#include "smpi/rma/causes.hpp"

#include <algorithm>
#include <variant>

#include "simcore/collective_flow.hpp"
#include "smpi/datatype/table.hpp"
#include "smpi/rma/operation_message.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::size_t most_members_walked = 4096;
constexpr std::size_t most_elements = 100'000;
constexpr std::size_t usual_effects = 256;
constexpr std::size_t most_effects = 4096;

std::uint32_t place_in(std::span<const ActorId> members, ActorId rank) {
  return static_cast<std::uint32_t>(std::ranges::find(members, rank) - members.begin());
}

std::vector<const std::byte*> elements_of(const OperationView& operation) {
  std::vector<const std::byte*> elements;
  if (!is_atomic(operation.header().deed) || operation.header().element == MPI_DATATYPE_NULL) return elements;
  const std::int64_t extent = predefined_datatype(operation.header().element)->extent();
  for (std::uint64_t i = 0; i < operation.header().blocks; ++i) {
    const TargetBlock block = operation.block(i);
    for (std::uint64_t k = 0; k < block.count; ++k)
      elements.push_back(block.address + static_cast<std::int64_t>(k) * extent);
  }
  return elements;
}

}  // namespace

Causes::Causes(std::uint32_t ranks) : clocks_(ranks) {
  for (CausalClock& clock : clocks_) clock.steps.resize(ranks);
}

void Causes::end_operation(ActorId rank, const Operation& operation) {
  std::visit([&](const auto& one) { end(rank, one); }, operation);
  ++now(rank).steps[rank.value];
}

void Causes::deliver(const rehearse::Delivery& delivery) {
  const Name send{delivery.source.value, delivery.send.value};
  CausalClockRef clock;
  if (const auto known = sent_.find(send); known != sent_.end()) {
    clock = known->second;
    sent_.erase(known);
  } else {
    clock = snapshot(delivery.source);
    delivered_early_.insert(send);
  }
  arrived_[{delivery.destination.value, delivery.receive.value}] = clock;
}

void Causes::end(ActorId rank, const Send& send) {
  const Name name{rank.value, send.request.value};
  if (delivered_early_.erase(name) == 0) sent_[name] = snapshot(rank);
  if (send.mode != SendMode::synchronous) return;
  if (send.blocking) now(rank).join(now(send.destination));  // its receive has begun
  else synchronous_[name] = send.destination;
}

void Causes::end(ActorId rank, const Post& post) {
  if (post.blocking) conclude(rank, post.request, true);
}

// It does not tell which message it has found.
void Causes::end(ActorId rank, const Probe& probe) {
  for (std::uint32_t source = 0; source < clocks_.size(); ++source)
    if (!probe.pattern.source || probe.pattern.source->value == source) now(rank).join(clocks_[source]);
}

void Causes::end(ActorId rank, const Observe& observe) {
  const bool is_certain = observe.blocking && observe.quantifier == Quantifier::all;
  for (const RequestId request : observe.requests) conclude(rank, request, is_certain);
}

// `is_certain`: the request is complete.
void Causes::conclude(ActorId rank, RequestId request, bool is_certain) {
  const Name name{rank.value, request.value};
  if (const auto message = arrived_.find(name); message != arrived_.end()) {
    now(rank).join(*message->second);
    arrived_.erase(message);
  }
  if (const auto collective = collectives_.find(name); collective != collectives_.end()) {
    join_members(rank, collective->second);
    if (is_certain) collectives_.erase(collective);
  }
  if (const auto send = synchronous_.find(name); send != synchronous_.end()) {
    now(rank).join(now(send->second));
    if (is_certain) synchronous_.erase(send);
  }
  conclude_access(rank, name);
}

void Causes::conclude_access(ActorId rank, const Name& name) {
  const auto known = accesses_.find(name);
  if (known == accesses_.end()) return;
  const StartedAccess& access = known->second;
  const bool locks = access.kind == AccessKind::shared_lock || access.kind == AccessKind::exclusive_lock;
  if (locks) take_lock(rank, access.lock, access.kind == AccessKind::exclusive_lock);
  if (access.returns && access.has_effect) {  // the answer came after the effect
    now(rank).join(access.seen);
    now(rank).effects.insert(access.name);
    forget_known_effects(now(rank));
  }
  if (locks || access.has_effect) accesses_.erase(known);
}

// A member that has not ended its call is in it: it has done nothing since its arrival.
void Causes::join_members(ActorId rank, const StartedCollective& collective) {
  for (std::uint32_t other = 0; other < collective.members.size(); ++other) {
    if (other == collective.self || !needs(collective.flow, collective.root, collective.first, collective.self, other))
      continue;
    const CausalClockRef& arrived = collective.instance->arrived[other];
    now(rank).join(arrived ? *arrived : now(collective.members[other]));
  }
}

void Causes::end(ActorId rank, const Collective& collective) {
  const std::uint64_t context = collective.context.value;
  const std::uint64_t number = calls_[{context, rank.value}]++;
  auto [known, is_new] = instances_.try_emplace({context, number});
  if (is_new) {
    known->second = std::make_shared<Instance>();
    known->second->arrived.resize(collective.members.size());
  }
  const std::shared_ptr<Instance> instance = known->second;
  const std::uint32_t self = place_in(collective.members, rank);
  instance->arrived[self] = snapshot(rank);
  if (++instance->ended == collective.members.size()) instances_.erase(known);
  const bool is_huge = collective.members.size() > most_members_walked;
  StartedCollective started{instance, collective.flow, collective.root, collective.groups.first, self, {}};
  if (is_huge || collective.flow == Flow::nobody || collective.flow == Flow::optional) return;
  started.members.assign(collective.members.begin(), collective.members.end());
  if (collective.blocking) join_members(rank, started);
  else collectives_[{rank.value, collective.request.value}] = std::move(started);
}

AccessName Causes::name_access(ActorId rank, const RemoteAccess& access) {
  const AccessWay way{access.context.value, rank.value, access.target.value};
  return {way, ++started_[way]};
}

void Causes::end(ActorId rank, const RemoteAccess& access) {
  const Name name{rank.value, access.request.value};
  StartedAccess started;
  started.kind = kind_of(access);
  started.lock = {access.context.value, access.target.value};
  if (started.kind == AccessKind::other) return;
  if (access.blocking) {
    accesses_[name] = std::move(started);
    early_effects_.erase(name);
    return conclude_access(rank, name);
  }
  const AccessWay way{access.context.value, rank.value, access.target.value};
  if (started.kind == AccessKind::release) now(rank).over[way] = started_[way];
  if (started.kind == AccessKind::operation) {
    const OperationView operation = operation_in(access);
    started.name = {way, started_[way]};
    started.elements = elements_of(operation);
    started.updates = operation.updates();
    started.returns = has_answer(operation.header().deed);
    started.replaces = operation.header().deed == Deed::accumulate && operation.header().op == OpCode::replace;
    if (started.elements.empty() && !started.returns) return void(early_effects_.erase(name));
  }
  started.clock = snapshot(rank);
  accesses_[name] = std::move(started);
  if (early_effects_.erase(name) > 0) take_effect(rank, access.request);
}

void Causes::take_effect(ActorId rank, RequestId access) {
  const auto known = accesses_.find({rank.value, access.value});
  if (known == accesses_.end()) return void(early_effects_.insert({rank.value, access.value}));
  StartedAccess& started = known->second;
  started.has_effect = true;
  if (started.kind == AccessKind::operation) return touch_elements(started);
  if (started.kind != AccessKind::release) return;
  LockState& lock = locks_[started.lock];
  const bool was_exclusive = lock.exclusive_holders.erase(rank.value) > 0;
  (was_exclusive ? lock.after_exclusive : lock.after_shared).join(*started.clock);
}

// An atomic with an answer sees the updates since the last replacement.
void Causes::touch_elements(StartedAccess& access) {
  for (const std::byte* address : access.elements) {
    Element& element = elements_[address];
    if (access.returns) access.seen.join(element.updates);
    if (!access.updates) continue;
    if (access.replaces) element.updates = CausalClock{};
    element.updates.join(*access.clock);
    element.updates.effects.insert(access.name);
    forget_known_effects(element.updates);
  }
  forget_known_effects(access.seen);
  has_given_up_ |= elements_.size() > most_elements;
}

// Effects of which all ranks know that they are over need no name.
void Causes::forget_known_effects(CausalClock& clock) {
  if (clock.effects.size() <= usual_effects) return;
  std::erase_if(clock.effects, [this](const AccessName& effect) {
    return std::ranges::all_of(clocks_, [&](const CausalClock& one) {
      const auto known = one.over.find(effect.way);
      return known != one.over.end() && known->second >= effect.number;
    });
  });
  has_given_up_ |= clock.effects.size() > most_effects;
}

// Sections before this one, of which one is exclusive, are over: their releases have had their effect.
void Causes::take_lock(ActorId rank, const Lock& lock, bool exclusive) {
  LockState& state = locks_[lock];
  now(rank).join(state.after_exclusive);
  if (!exclusive) return;
  now(rank).join(state.after_shared);
  state.exclusive_holders.insert(rank.value);
}

void Causes::finish_way(const AccessWay& way) {
  const auto known = started_.find(way);
  if (known == started_.end()) return;
  CausalClock& clock = clocks_[way.origin];
  clock.over[way] = known->second;
  std::erase_if(clock.effects, [&](const AccessName& effect) { return effect.way == way; });
}

bool Causes::is_known_to_all(const AccessName& access) const {
  return std::ranges::all_of(clocks_, [&](const CausalClock& clock) { return clock.knows(access); });
}

bool Causes::is_step_known_to_all(ActorId rank, std::uint64_t step) const {
  return std::ranges::all_of(clocks_, [&](const CausalClock& clock) { return clock.knows_step(rank.value, step); });
}

}  // namespace rehearse::smpi
