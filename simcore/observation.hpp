// SPDX-License-Identifier: MIT
//
// What the world answers: the second half of the seam between programs and drivers.
//
// Ownership: the driver owns everything; valid until Program::resume returns. The actor copies what it keeps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "simcore/ids.hpp"
#include "simcore/time.hpp"

namespace rehearse {

// One completed request (or, of a Probe, one visible message). source, tag, data and signature are set for receives
// and probes; contributions for collectives that were started without blocking.
struct Completion {
  std::uint32_t index = 0;  // into Observe::requests
  ActorId source;
  Tag tag = 0;
  std::span<const std::byte> data;
  std::uint64_t signature = 0;
  std::span<const std::span<const std::byte>> contributions;  // of a collective that was observed; see below
};

struct Observation {
  bool flag = true;                         // Observe and Probe: yes or no
  std::span<const Completion> completions;  // ascending index
  std::span<const std::span<const std::byte>> contributions;  // of a blocking Collective, one per member
  TimePoint now;                            // Clock
};

}  // namespace rehearse
