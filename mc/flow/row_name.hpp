// SPDX-License-Identifier: MIT
//
// The names of the rows of the flow equations, as proof files have them (docs/proofs.md).
#pragma once

#include <cstdint>

namespace rehearse::mc::flow {

struct RowName {
  enum class Kind : std::uint8_t {
    point,     // the balance of a point
    message,   // the balance of a message
    takes,     // nobody stands where this message, or another one of its number, can be taken while it is there
    stays,     // the actor stays at this point only while a message of its own is there
    ended,     // the actor has ended
    taken,     // what is known at the point of the question: messages of a channel and number that are taken
    sent,      // the same, that are sent
    question,  // somebody stands at one of the points of the question, or one of its messages is there
  } kind = Kind::question;
  std::uint32_t first = 0, second = 0;
};

}  // namespace rehearse::mc::flow
