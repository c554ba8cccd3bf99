// SPDX-License-Identifier: MIT
//
// Lists of actors that many actors know (the members of a group), kept once for all of them.
//
// Ownership: the Program's, in memory that is nobody's state: a list never changes and stays as long as the Program,
//            so an actor that is put back finds what it pointed to. Whoever shares a list while it runs on an actor
//            sees to it that the memory is not the actor's own.
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
