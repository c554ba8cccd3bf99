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
#include "simcore/operation.hpp"
#include "simcore/time.hpp"

namespace rehearse {

// What the members of a combining collective make of contributions that are the same for all of them (or, of a prefix,
// begin with the same): one may leave its result here, others may take it from here instead of doing the same again.
// Where an Observation has none, each works for itself; what a member ends with must not depend on it.
struct SharedResult {
  std::span<std::byte> data;      // as large as one contribution
  std::uint64_t what = 0;         // says what `data` is, in words of those who use it; 0: nothing yet
  std::uint32_t contributions = 0;  // how many of them are in it, from the first on
};

// What a member of a collective said of its contribution (Collective::remark), and where it called.
struct Remark {
  std::span<const std::byte> text;  // empty: nothing
  Origin origin;
};

// One completed request (or, of a Probe, one visible message). source, tag, data and signature are set for receives
// and probes; contributions for collectives that were started without blocking.
struct Completion {
  std::uint32_t index = 0;  // into Observe::requests
  ActorId source;
  Tag tag = 0;
  std::span<const std::byte> data;
  std::uint64_t signature = 0;
  std::span<const std::span<const std::byte>> contributions;  // of a collective that was observed; see below
  SharedResult* shared = nullptr;                             // of the same; null: none
  std::span<const Remark> remarks = {};  // of the same: one per contribution; empty: nobody made one
  Origin origin = {};                                         // of a receive: of the send, for reports; may be unknown
};

struct Observation {
  bool flag = true;                         // Observe and Probe: yes or no
  std::span<const Completion> completions;  // ascending index
  std::span<const std::span<const std::byte>> contributions;  // of a blocking Collective, one per member
  SharedResult* shared = nullptr;                             // of the same; null: none
  std::span<const Remark> remarks;          // of the same: one per contribution; empty: nobody made one
  TimePoint now;                            // Clock
};

}  // namespace rehearse
