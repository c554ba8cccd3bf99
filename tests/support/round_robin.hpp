// SPDX-License-Identifier: MIT
//
// The smallest complete driver of a Program: actors take turns, messages arrive at once and match
// in arrival order. For tests of what runs on actors; it knows nothing of time (the clock counts
// operations) or exploration.
//
// Errors: a Program that breaks the protocol of the seam (an unknown request, a second use of one)
//         is asserted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simcore/finding.hpp"
#include "simcore/outcome.hpp"
#include "simcore/program.hpp"

namespace rehearse::tests {

struct RoundRobinOptions {
  bool buffered = true;          // standard sends complete at once; otherwise when they are matched
  std::uint32_t no_answers = 0;  // how many times each actor's polls get the answer `no` before the true one
};

struct RoundRobinResult {
  std::vector<ActorOutcome> actors;
  std::vector<std::string> output;                   // of each actor, both streams
  std::vector<Finding> reports;                      // in the order in which they were made
  std::vector<std::vector<std::string>> operations;  // of each actor, the kinds in order: "send", "collective"...
  std::vector<std::string> mismatches;               // collectives whose members disagree
  std::uint32_t unmatched_sends = 0;
  std::uint32_t unmatched_receives = 0;

  bool all_ended() const;
};

RoundRobinResult run_round_robin(Program& program, RoundRobinOptions options = {});

}  // namespace rehearse::tests
