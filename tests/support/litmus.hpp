// SPDX-License-Identifier: MIT
//
// A toy Program: tiny message-passing programs in the text form of tests/oracle/matching_oracle.py, one line per actor,
// with more operations: sends of all modes, a second communicator (tags with a trailing '), matched probes, withdrawn
// receives, collectives of all flows (also between two groups, and nonblocking), polls and waits for some of several
// requests, and published values and predicates (`say NAME VALUE`, `never PREDICATE`, `always PREDICATE`, without
// blanks). Each actor has a number, 0 at first, which is its exit status: `set N` and, by the value of the last
// message, `sum`, `mix` and `keep` change it, `asend` sends it (other messages have the number of the sender), `failif
// N` and `failsrc ACTOR` fail, `skipbelow N` skips an instruction. From `bytes N` on, an actor sends messages of N
// bytes (4 at first, at most 16), and from `room N` on its receives have room for N; one that gets more fails. States
// can be compared (StateImages).
//
// Errors: a text that does not parse is a bug of the test (asserted).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "simcore/program.hpp"

namespace rehearse::tests {

// With `sites`, operations with the same text count as one place of the program, as if they were in a loop.
std::unique_ptr<Program> make_litmus(const std::string& text, bool sites = false);

// The text of a program: actor 0 receives one message from each of `senders` other actors, in any order, and then does
// `more`.
std::string fan_in(std::uint32_t senders, const std::string& more = "");

// A continuation that depends on the sender of the last message. It receives further messages only for senders 3 and 4.
inline constexpr const char* second_round = "onsrc 3: recv * 1 | 4: recv * 2";

}  // namespace rehearse::tests
