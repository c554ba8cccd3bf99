// SPDX-License-Identifier: MIT
//
// The timed driver's data about the messages inside of collectives.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simcore/time.hpp"

namespace rehearse::engine {

// A message of a collective: its send, its receive, or both.
struct Passage {
  static constexpr std::uint32_t none = ~0u;
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::uint64_t bytes = 0;
  std::uint32_t combinations = 0;
  TimePoint began;  // start of its transfer
  bool is_sent = false;
  bool has_left = false;  // its sender has spent its time on it
  bool is_small = false;
  bool is_announced = false;  // of a large one whose announcement has arrived, if announcements are transfers
  bool is_posted = false;
  bool has_arrived = false;
  std::uint32_t next = none;  // the next of the same pair, or the next unused one
};

// The passages of a pair that lack one end; all of them lack the same one.
struct UnpairedPassages {
  std::uint32_t first = Passage::none;
  std::uint32_t last = Passage::none;
};

// Two members of a collective.
struct MemberPair {
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  bool operator==(const MemberPair&) const = default;

  struct Hash {
    std::size_t operator()(const MemberPair& pair) const { return std::uint64_t{pair.destination} << 32 | pair.source; }
  };
};

}  // namespace rehearse::engine
