// SPDX-License-Identifier: MIT
//
// The proof rule over words: grows the net and asks its equations whether an error is possible.
//
// A proof says that no execution has a failing step, an actor that waits for ever, or a message that is never received.
// Without a proof nothing is known.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "mc/footprints/word_net.hpp"

namespace rehearse::mc::footprints {

struct WordProof {
  std::string why_not;  // why there is no proof; empty: there is one
  std::uint64_t steps = 0, points = 0, messages = 0, runs = 0, equations = 0, questions = 0;
  std::string text;  // of the proof, if it was requested; empty also: the net has a cycle (word_proof_writer.hpp)
};

// `goes_on`: called from time to time; false: gives up. `label`: a few words in the text of the proof about its net;
// empty: no text is requested.
WordProof prove(Machine& machine, const WordNet::GoesOn& goes_on, const Rules& rules = {}, const Limits& limits = {},
                std::string_view label = {});

}  // namespace rehearse::mc::footprints
