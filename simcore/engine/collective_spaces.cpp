// SPDX-License-Identifier: MIT
//
// See collective_spaces.hpp.
#include "simcore/engine/collective_spaces.hpp"

#include <algorithm>
#include <utility>

#include "simcore/support/assert.hpp"
#include "simcore/support/hash.hpp"

namespace rehearse::engine {

const MemberList& CollectiveSpaces::members(std::span<const ActorId> actors) {
  const std::uint64_t hash = hash_in_memory(actors.data(), actors.size_bytes());
  const auto [begin, end] = lists_.equal_range(hash);
  for (auto known = begin; known != end; ++known)
    if (std::ranges::equal(known->second->actors, actors)) return *known->second;
  auto members = std::make_unique<MemberList>();
  members->actors.assign(actors.begin(), actors.end());
  for (std::uint32_t i = 0; i < actors.size(); ++i) {
    members->member_of[actors[i].value] = i;
    members->hosts.push_back(actors_[actors[i]].host.value);
  }
  return *lists_.emplace(hash, std::move(members))->second;
}

CollectiveSpace& CollectiveSpaces::space(const Collective& operation) {
  CollectiveSpace& space = spaces_[operation.context.value];
  if (space.members == nullptr) {
    space.members = &members(operation.members);
    space.calls.resize(operation.members.size());
  }
  REHEARSE_ASSERT(space.members->actors.size() == operation.members.size(), "a context has always the same members");
  return space;
}

Instance& CollectiveSpaces::instance(CollectiveSpace& space, std::uint32_t member, const Collective& operation) {
  const std::uint64_t number = space.calls[member]++;
  if (number < space.first_open + space.open.size()) return *space.open[number - space.first_open];
  Instance& instance = instances_.take();
  space.open.push_back(&instance);
  instance.name = operation.name;
  instance.flow = operation.flow;
  instance.root = operation.root;
  instance.signature = operation.signature;
  instance.signature_member = member;
  instance.is_combining = operation.combining;
  instance.is_broken = false;
  instance.sides.reset(operation.groups.first, operation.members.size());
  instance.context = operation.context;
  instance.number = number;
  instance.actors = &space.members->actors;
  instance.first_member = member;
  instance.arrived = 0;
  instance.last_arrival = instance.root_arrival = {};
  instance.delivered = 0;
  instance.schedule = nullptr;
  instance.members.resize(operation.members.size());
  instance.is_uniform = true;
  instance.passages.clear();
  instance.unused = Passage::none;
  instance.unpaired.clear();
  instance.has_segments = false;
  instance.lists_differ = false;
  instance.in_prefix = 0;
  instance.list.assign(operation.members.size(), {});
  instance.listed = 0;
  instance.remarks.clear();
  instance.shared = {};
  for (Member& each : instance.members) {
    each.request = nullptr;
    each.is_done = false;
    each.is_borrowed = false;
    each.is_handed_on = false;
    each.is_answered = false;
    each.mismatch = "";
    each.round = 0;
    each.open = 0;
    each.uncombined = 0;
    each.is_combining = false;
  }
  return instance;
}

CollectiveSpaces::Place CollectiveSpaces::enter(ActorId actor, const Collective& operation) {
  CollectiveSpace& space = this->space(operation);
  const auto known = space.members->member_of.find(actor.value);
  REHEARSE_ASSERT(known != space.members->member_of.end(), "the caller is a member");
  return {instance(space, known->second, operation), known->second};
}

void CollectiveSpaces::leave(Instance& instance) {
  if (++instance.delivered < instance.members.size()) return;
  CollectiveSpace& space = spaces_[instance.context.value];
  space.open[instance.number - space.first_open] = nullptr;
  while (!space.open.empty() && space.open.front() == nullptr) {
    space.open.pop_front();
    ++space.first_open;
  }
  instances_.give_back(instance);
}

}  // namespace rehearse::engine
