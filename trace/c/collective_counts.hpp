// SPDX-License-Identifier: MIT
//
// The sizes that a member of a collective receives, which are in the actions of the other members.
//
// Memory: of gatherv, scatter, scatterv and alltoallv, the sizes; of other collectives nothing.
// Errors: of the trace.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "simcore/support/result.hpp"
#include "trace/trace.hpp"

namespace rehearse::trace::c {

class CollectiveCounts {
 public:
  // Reads the trace once. An action that nobody replays ends the reading of its rank.
  static Result<CollectiveCounts> make(const Trace& trace);

  // Of the collective with this number on its communicator: the bytes from each member for this member.
  std::vector<std::uint64_t> received(const Action& action, std::uint64_t number, std::size_t members) const;

 private:
  struct Sizes {
    std::uint64_t bytes = 0;
    std::vector<std::uint64_t> segments;
  };
  using Key = std::pair<std::uint32_t, std::uint64_t>;   // communicator, number
  std::map<Key, std::map<std::uint32_t, Sizes>> sizes_;  // by member
};

}  // namespace rehearse::trace::c
