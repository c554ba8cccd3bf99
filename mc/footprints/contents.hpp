// SPDX-License-Identifier: MIT
//
// The contents of messages and of arrivals at collectives: equal contents have equal numbers.
//
// Ownership: copies the data of operations.
// Threads:   none.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "mc/footprints/machine.hpp"
#include "mc/history/history.hpp"

namespace rehearse::mc::footprints {

class Contents {
 public:
  // Of a Send, or of the arrival at the `number`-th Collective of its context. The data of the operation must be there.
  std::uint64_t find_or_add(ActorId actor, const Operation& operation, std::uint32_t number = 0);

  // A Node with the operation, whose data are copies.
  const history::Node& node(std::uint64_t content) const { return nodes_[content]; }

  // The number of a context, for messages or for collectives.
  std::uint64_t context(ContextId id, bool of_collectives);

  // Throws NoProof if members of the collective may disagree.
  void require_agreement(std::uint64_t content, std::uint32_t number);

 private:
  history::DataStore store_;
  std::deque<history::Node> nodes_;
  std::map<std::string, std::uint64_t> known_;  // by all that a receiver can see
  std::map<std::pair<ContextId, bool>, std::uint64_t> contexts_;
  // What the members of a collective, by its context and number, pass.
  std::map<std::pair<ContextId, std::uint32_t>, std::set<std::pair<std::uint64_t, std::uint64_t>>> calls_;
};

}  // namespace rehearse::mc::footprints
