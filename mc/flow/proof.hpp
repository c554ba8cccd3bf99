// SPDX-License-Identifier: MIT
//
// The proof rule: grows the net and asks the flow equations whether an error is possible.
//
// A proof says that no execution has a failing step, an actor that waits for ever, or a message that is never received.
// Without a proof nothing is known: the equations forget in which order steps happen.
#pragma once

#include <cstdint>
#include <string>

#include "mc/flow/equations.hpp"
#include "mc/flow/net.hpp"

namespace rehearse::mc::flow {

struct Proof {
  std::string why_not;  // why there is no proof; empty: there is one
  std::uint64_t steps = 0, points = 0, messages = 0, equations = 0, questions = 0;
  bool has_partial_collectives = false;  // members need not wait for all members
  std::string text;                      // of the proof, if it was requested (proof_writer.hpp)
};

struct Rules {
  Net::Rules net = {};
  Equations::Rules equations = {};
};

// The history must merge its Nodes in this graph. `goes_on`: called from time to time; false: gives up. Throws
// ShortMessage.
Proof prove(history::History& history, const history::LocalGraph& graph, std::uint32_t actors, Waiting waiting,
            const Solver::GoesOn& goes_on, const Rules& rules = {}, bool keeps_text = false);

}  // namespace rehearse::mc::flow
