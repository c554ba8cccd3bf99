// SPDX-License-Identifier: MIT
//
// The smallest complete driver of a Program: actors take turns, messages arrive immediately and match in arrival order.
// For tests of code that runs on actors. It has no simulated time (the clock counts operations) and no exploration.
//
// Errors: a Program that breaks the protocol of the seam (an unknown request, a second use of one) fails an assertion.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simcore/finding.hpp"
#include "simcore/outcome.hpp"
#include "simcore/program.hpp"

namespace rehearse::tests {

struct RoundRobinOptions {
  bool buffered = true;          // standard sends complete immediately; otherwise when they are matched
  std::uint32_t no_answers = 0;  // how often the polls of each actor are answered "no" before the true answer
};

struct RoundRobinResult {
  std::vector<ActorOutcome> actors;
  std::vector<std::string> output;  // of each actor, both streams
  std::vector<Finding> reports;     // in the order in which they were made
  std::vector<std::vector<std::string>>
      operations;                       // kinds of the operations of each actor, in order: "send", "collective"...
  std::vector<std::string> mismatches;  // collectives whose members disagree
  std::uint32_t unmatched_sends = 0;
  std::uint32_t unmatched_receives = 0;

  bool all_ended() const;
};

RoundRobinResult run_round_robin(Program& program, RoundRobinOptions options = {});

}  // namespace rehearse::tests
