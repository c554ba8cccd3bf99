// SPDX-License-Identifier: MIT
//
// See accesses.hpp.
#include "simcore/engine/accesses.hpp"

#include <algorithm>

namespace rehearse::engine {

namespace {

MessageLabel label_of_access(const PendingAccess& access, std::uint64_t bytes) {
  return {static_cast<std::uint32_t>(access.context.value), 0, bytes, access.origin.address, false, false};
}

}  // namespace

PendingAccess& Accesses::make(ActorId id, ActorId target) {
  PendingAccess& access = pool_.take();
  const std::uint32_t index = access.index;
  access = PendingAccess{};
  access.index = index;
  access.is_live = true;
  access.source = id;
  access.target = target;
  return access;
}

Request& Accesses::start(ActorId id, ActorState& actor, const RemoteAccess& operation) {
  actors_.note_interaction(actor);
  PendingAccess& access = make(id, operation.target);
  access.context = operation.context;
  access.effect = operation.effect;
  access.missing = operation.missing;
  access.origin = operation.origin;
  access.bytes_back = operation.bytes_back;
  access.data.assign(operation.data.begin(), operation.data.end());
  Request& request = requests_.make(id, operation.request, Request::Kind::access);
  request.access = &access;
  access.request = &request;
  ways_[{id.value, operation.target.value, operation.context.value}].push_back(&access);
  travel(access, operation.bytes_there);
  return request;
}

void Accesses::start(ActorId id, ActorState& actor, const Traffic& operation) {
  actors_.note_interaction(actor);
  PendingAccess& access = make(id, operation.target);
  access.bytes_back = operation.bytes_back;
  access.returns = operation.returns;
  ++actor.traffic;
  travel(access, operation.bytes_there);
}

void Accesses::travel(PendingAccess& access, std::uint64_t bytes) {
  agenda_.start_transfer(access.source, access.target, label_of_access(access, bytes),
                         {Continuation::Kind::access_there, access.index, 0});
}

void Accesses::arrive(std::uint32_t index) {
  PendingAccess& access = pool_[index];
  if (access.request == nullptr) {
    if (!access.returns) return come_back(index);
    return agenda_.start_transfer(access.target, access.source, label_of_access(access, access.bytes_back),
                                  {Continuation::Kind::access_back, index, 0});
  }
  access.has_arrived = true;
  std::deque<PendingAccess*>& way = ways_[{access.source.value, access.target.value, access.context.value}];
  if (way.front() != &access) return;
  tried_[access.target.value].push_back(&access);
  ++waiting_;
  try_waiting(access.target);
}

// The next access on the way of one that has had its effect may follow.
bool Accesses::try_effect(PendingAccess& access) {
  access.waits_for.clear();
  if (access.effect != nullptr && !access.effect({access.data, access.answer, access.waits_for})) return false;
  if (Timeline* timeline = run_.options.timeline) timeline->on_effect(access.source, access.request->id, agenda_.now());
  const auto way = ways_.find({access.source.value, access.target.value, access.context.value});
  way->second.pop_front();
  if (way->second.empty()) {
    ways_.erase(way);
  } else if (way->second.front()->has_arrived) {
    tried_[access.target.value].push_back(way->second.front());
    ++waiting_;
  }
  agenda_.start_transfer(access.target, access.source, label_of_access(access, access.bytes_back),
                         {Continuation::Kind::access_back, access.index, 0});
  return true;
}

void Accesses::try_waiting(ActorId target) {
  const auto found = tried_.find(target.value);
  if (found == tried_.end()) return;
  std::vector<PendingAccess*>& waiting = found->second;
  for (std::size_t i = 0; i < waiting.size();) {
    if (!try_effect(*waiting[i])) {
      ++i;
      continue;
    }
    waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(i));
    --waiting_;
    i = 0;  // it may have made the effects before it possible
  }
  if (waiting.empty()) tried_.erase(found);
}

void Accesses::come_back(std::uint32_t index) {
  PendingAccess& access = pool_[index];
  if (access.request != nullptr) return requests_.complete(*access.request);
  ActorState& source = actors_[access.source];
  const ActorId id = access.source;
  pool_.give_back(access);
  if (--source.traffic > 0) return;
  if (source.wait == Wait::settle || source.wait == Wait::await || source.wait == Wait::nap) actors_.make_ready(id);
  else if (source.wait == Wait::poll && std::holds_alternative<Await>(*source.operation)) actors_.make_ready(id);
}

}  // namespace rehearse::engine
