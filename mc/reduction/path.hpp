// SPDX-License-Identifier: MIT
//
// A part of an exploration in a form that another process understands: a path to a place, and the alternatives to try
// there.
//
// A depth-first exploration has, at every moment, a trail of decisions. Its remaining work is the untried alternatives
// of the trail's entries, the deepest first. A Path describes a prefix of such a trail by its deviations. It also
// records the next alternative of the last entry, and the entries whose alternatives belong to this part: those from
// `floor` on.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace rehearse::mc::reduction {

constexpr std::uint32_t no_limit = std::numeric_limits<std::uint32_t>::max();

// An observation that an event may revisit: `reader` is an index into the actors that may read the event, `index` into
// Graph::Actor::revisitable of that actor.
struct CandidateIndex {
  std::uint32_t reader = 0, index = 0;
  bool operator==(const CandidateIndex&) const = default;
};

// An entry of a trail with another alternative than the first.
struct Deviation {
  std::uint32_t position = 0;               // of the entry
  std::uint32_t option = 0;                 // the alternative taken
  std::optional<CandidateIndex> candidate;  // of a revisit: the revisited observation
  bool operator==(const Deviation&) const = default;
};

struct Path {
  std::vector<Deviation> deviations;  // by position
  std::uint32_t length = 0;           // of the prefix
  std::uint64_t check = 0;            // Trail::Entry::check of the last entry
  bool is_done = true;     // the executions behind the unchanged prefix were visited: try the next alternative
  std::uint32_t next = 0;  // of the last entry: the next alternative to try
  std::optional<CandidateIndex> candidate;  // of the last entry, if it offers an event to observations
  std::uint32_t floor = 0;
  std::uint32_t floor_limit = no_limit;  // number of alternatives of the entry at `floor` that belong to this part
  bool operator==(const Path&) const = default;
};

// The limits of the work that an exploration owns: entries from `floor` on, of the entry there the alternatives below
// `limit`.
struct Cut {
  std::uint32_t floor = 0;
  std::uint32_t limit = no_limit;
  bool operator==(const Cut&) const = default;
};

// Thrown: a Path leads to another place than that where it was recorded, so the program is not deterministic.
struct PathLost {};

}  // namespace rehearse::mc::reduction
