// SPDX-License-Identifier: MIT
//
// A toy Program: tiny message-passing programs in the text form of tests/oracle/matching_oracle.py, one line an actor,
// with more operations: sends of all modes, a second communicator (tags with ' behind them), matched probes, withdrawn
// receives, collectives of all flows, between two groups and nonblocking ones too, polls and waits for some of several
// requests, and what an actor publishes (`say NAME VALUE`, `never PREDICATE`, `always PREDICATE`, without blanks).
//
// Errors: a text that does not parse is a bug of the test (asserted).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "simcore/program.hpp"

namespace rehearse::tests {

// With `sites`, operations of the same text count as one place of the program, as if they stood in a loop.
std::unique_ptr<Program> make_litmus(const std::string& text, bool sites = false);

// The text of a program: actor 0 receives a message of each of so many others, in any order, and does `more`.
std::string fan_in(std::uint32_t senders, const std::string& more = "");

// More to do, by whose message came last; others have nothing for it.
inline constexpr const char* second_round = "onsrc 3: recv * 1 | 4: recv * 2";

}  // namespace rehearse::tests
