// SPDX-License-Identifier: MIT
//
// A part of an exploration in a form that another process understands: a path to a place, and the alternatives to try
// there.
//
// A depth-first exploration stands, at every moment, at the end of a trail of decisions; its remaining work are the
// alternatives of entries of that trail, the deepest first. A Path says how a prefix of such a trail came about (where
// it does not take the first alternative), how far the alternatives of its last entry were tried, and which entries'
// alternatives belong to it. Entries before `floor` belong to others.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace rehearse::mc::reduction {

constexpr std::uint32_t no_limit = std::numeric_limits<std::uint32_t>::max();

// An observation that an event may revisit: which of the actors that may read the event, and which of that actor's
// revisitable events.
struct CandidateIndex {
  std::uint32_t reader = 0, index = 0;
  bool operator==(const CandidateIndex&) const = default;
};

// Where a trail does not take the first alternative.
struct Deviation {
  std::uint32_t position = 0;               // of the entry
  std::uint32_t option = 0;                 // the alternative taken
  std::optional<CandidateIndex> candidate;  // of a revisit: as the entry's
  bool operator==(const Deviation&) const = default;
};

struct Path {
  std::vector<Deviation> deviations;        // by position
  std::uint32_t length = 0;                 // of the prefix
  std::uint64_t check = 0;                  // of what it consists of
  bool is_done = true;                      // what follows the prefix as it is was visited: try the next alternative
  std::uint32_t next = 0;                   // of the last entry: the alternative to be tried next
  std::optional<CandidateIndex> candidate;  // of the last entry, if it offers an event to observations
  std::uint32_t floor = 0;
  std::uint32_t floor_limit = no_limit;  // of the entry at `floor`: how many of its alternatives there are
  bool operator==(const Path&) const = default;
};

// What an exploration no longer owns: entries before `floor`, and alternatives of the entry there from `limit` on.
struct Cut {
  std::uint32_t floor = 0;
  std::uint32_t limit = no_limit;
  bool operator==(const Cut&) const = default;
};

// A Path that led somewhere else than where it was taken from: the program is not deterministic.
struct PathLost {};

}  // namespace rehearse::mc::reduction
