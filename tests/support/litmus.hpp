// SPDX-License-Identifier: MIT
//
// A toy Program: tiny message-passing programs in the text form of tests/oracle/matching_oracle.py, one line an actor,
// with more operations: sends of all modes, a second communicator (tags with ' behind them), matched probes, withdrawn
// receives, collectives of all flows, nonblocking ones too, and polls and waits for some of several requests.
//
// Errors: a text that does not parse is a bug of the test (asserted).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "simcore/program.hpp"

namespace rehearse::tests {

// Where `sites` are told, operations of the same text count as one place of the program, as if they stood in a loop.
std::unique_ptr<Program> make_litmus(const std::string& text, bool sites = false);

}  // namespace rehearse::tests
