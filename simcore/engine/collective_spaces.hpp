// SPDX-License-Identifier: MIT
//
// Assigns calls to collectives: members meet by the order of their calls in a context.
//
// Ownership: this object owns the instances; an instance is released when its last member has left it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>

#include "simcore/engine/actor_table.hpp"
#include "simcore/engine/pool.hpp"
#include "simcore/engine/state.hpp"

namespace rehearse::engine {

class CollectiveSpaces {
 public:
  explicit CollectiveSpaces(const ActorTable& actors) : actors_(actors) {}

  struct Place {
    Instance& instance;
    std::uint32_t member = 0;
  };
  // The instance of this actor's next call in the operation's context, and the actor's number among its members.
  Place enter(ActorId actor, const Collective& operation);
  // A member has been answered.
  void leave(Instance& instance);

  Instance& operator[](std::uint32_t index) { return instances_[index]; }
  // By member.
  std::span<const std::uint32_t> hosts(const Instance& instance) const {
    return spaces_.find(instance.context.value)->second.members->hosts;
  }

 private:
  CollectiveSpace& space(const Collective& operation);
  const MemberList& members(std::span<const ActorId> actors);
  Instance& instance(CollectiveSpace& space, std::uint32_t member, const Collective& operation);

  const ActorTable& actors_;
  Pool<Instance> instances_;
  std::unordered_map<std::uint64_t, CollectiveSpace> spaces_;                        // by context
  std::unordered_multimap<std::uint64_t, std::unique_ptr<const MemberList>> lists_;  // by a hash of the actors
};

}  // namespace rehearse::engine
