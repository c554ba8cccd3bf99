// SPDX-License-Identifier: MIT
//
// Small random litmus programs, reproducible from their seed on every machine.
#pragma once

#include <cstdint>
#include <string>

namespace rehearse::tests {

struct LitmusShape {
  std::uint32_t actors = 3;
  std::uint32_t messages = 5;
  bool nonblocking = true, tags = true, synchronous = true, waitany = false, probes = false, polls = false;
  bool branches = true, barriers = false, choices = false;
  bool takes = false, cancels = false;  // matched probes; withdrawn receives
  bool collectives = false;             // of all flows, blocking and nonblocking, in the middle of the program
  bool groups = false;                  // with collectives: between two groups
  bool some = false;                    // waits and polls for some or any of several requests
  bool modes = false;                   // buffered and ready sends
  bool communicators = false;           // two of them
  bool frees = false;                   // receives and sends without a wait
  bool memory = false;                  // numbers that messages change and carry, and assertions about them
};

std::string random_litmus(std::uint64_t seed, const LitmusShape& shape);

}  // namespace rehearse::tests
