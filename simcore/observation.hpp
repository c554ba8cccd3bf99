// SPDX-License-Identifier: MIT
//
// The answers of drivers: the second half of the seam between programs and drivers.
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

// A shared result of a combining collective whose contributions are the same for all members (or, for a prefix, begin
// with the same ones): one member may store its result here, and others may read it instead of computing it again.
// Without it, each member computes for itself; the result of a member must not depend on it.
struct SharedResult {
  std::span<std::byte> data;        // as large as one contribution
  std::uint64_t what = 0;           // identifies the content of `data`, by a number that the members define; 0: none
  std::uint32_t contributions = 0;  // number of contributions in it, from the first one on
};

// The remark of a member of a collective about its contribution (Collective::remark), and the place of its call.
struct Remark {
  std::span<const std::byte> text;  // empty: no remark
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
  std::span<const std::span<const std::byte>> contributions;  // of an observed collective; see below
  SharedResult* shared = nullptr;                             // of the same; null: none
  std::span<const Remark> remarks = {};  // of the same: one per contribution; empty: no member made one
  Origin origin = {};                    // of a receive: of the send, for reports; may be unknown
};

struct Observation {
  bool flag = true;                                           // Observe and Probe: yes or no
  std::span<const Completion> completions;                    // ascending index
  std::span<const std::span<const std::byte>> contributions;  // of a blocking Collective, one per member
  SharedResult* shared = nullptr;                             // of the same; null: none
  std::span<const Remark> remarks;  // of the same: one per contribution; empty: no member made one
  TimePoint now;                    // Clock, Await
};

}  // namespace rehearse
