// SPDX-License-Identifier: MIT
//
// The ends of all executions of a litmus program, for comparisons of searches that count differently.
#pragma once

#include <set>
#include <string>

#include "mc/buffering/policy_replay.hpp"
#include "mc/explore.hpp"

namespace rehearse::tests {

struct Ends {
  bool is_all = false;          // everything was explored
  std::set<std::string> texts;  // of each end that is not good: the states of the actors, and messages that nobody took
  mc::Verdict verdict;
};

Ends ends_of(const std::string& litmus, mc::Reduction reduction, const Policy& policy,
             std::uint64_t max_executions = ~std::uint64_t{0});

// As a judge for other explorations: a finding for each end that is not good.
std::vector<Finding> tell_end(const Outcome& outcome, const Describe& describe);
std::set<std::string> texts_of(const mc::Verdict& verdict);

// The end of one path of a search.
std::string text_of_end(const mc::graph::Graph& graph, const mc::buffering::PolicyOutcome& outcome);

// A random program whose actors have memory, over the features that merging supports (and, in some, others).
std::string random_memory_program(std::uint64_t seed);

// A random program for flow equations: of every second seed, over the features that they support. In most of them,
// actors end with status 0 whatever their number is.
std::string random_flow_program(std::uint64_t seed);

// Actor 0 adds up what the others send, and fails if the sum of exactly this subset has arrived: bit s-1 for sender s.
// After the last one it ends well.
std::string fan_in_with_bad_sum(std::uint32_t senders, std::uint32_t subset);

}  // namespace rehearse::tests
