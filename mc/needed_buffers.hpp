// SPDX-License-Identifier: MIT
//
// Which sends rely on buffering: a set of call sites such that no explored execution has a deadlock if their standard
// sends are buffered and no others.
//
// Method:  implicit hitting sets. Each execution is replayed with the current set. If it stops at a deadlock, one of
// the
//          sends that wait there must be buffered: a clause. A smallest set that has a send of each clause is the next
//          one. Rounds of the exploration repeat until one has no deadlock.
// Meaning: the set of a complete answer is right: each execution was replayed with it. It need not be a smallest one:
//          more buffering makes new executions possible, so the replays do not depend on the set in a monotone way. For
//          the same reason "no set helps" is the result of this method, not a fact.
// Limits:  programs that poll or probe are not answered.
// Source:  docs/soundness.md, "Sends that rely on buffering".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mc/explore.hpp"
#include "simcore/program.hpp"

namespace rehearse::mc {

struct BufferedSite {
  std::uint64_t site = 0;  // of Program::site()
  ActorId actor;           // one that sends there
  CallDescription call;    // of this actor
};

struct NeededBuffers {
  std::vector<BufferedSite> sites;  // in ascending order of `site`
  bool is_answered = false;         // nothing deadlocks with these sites; otherwise see why_not
  std::string why_not;
  std::uint64_t executions = 0;  // of the last round
  std::uint64_t rounds = 0;
};

// Replays without buffering, and for each way of collectives in the policies of `options`. Uses the semantics, bounds
// and the token to stop of the options, and one process.
NeededBuffers needed_buffers(Program& program, const ExploreOptions& options);

}  // namespace rehearse::mc
