// SPDX-License-Identifier: MIT
//
// Lists of actors that many actors use (the members of a group), stored once for all of them.
//
// Ownership: the Program's, outside the memory of actors. A list never changes and lives as long as the Program, so the
//            pointers of a restored actor remain valid. Code that runs on an actor must not allocate a shared list in
//            the actor's own memory.
// Threads:   none.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "simcore/ids.hpp"

namespace rehearse {

struct ActorList {
  std::vector<ActorId> actors;
  std::vector<std::pair<ActorId, std::uint32_t>> places;  // sorted; empty if the actors are 0, 1, 2...
};

class ActorLists {
 public:
  const ActorList& first(std::uint32_t count);  // actors 0 to count - 1
  const ActorList& share(std::span<const ActorId> actors);

 private:
  std::unordered_multimap<std::uint64_t, std::unique_ptr<const ActorList>> lists_;  // by a hash of the actors
  std::unordered_map<std::uint32_t, const ActorList*> first_;
};

}  // namespace rehearse
