// SPDX-License-Identifier: MIT
//
// The names of the rows and of the variables of the flow equations, as proof files have them (docs/proofs.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "mc/flow/system.hpp"

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

// "step N", "point N" or "message N". The variables of a system are those of steps, then of points, then of messages.
// A step that fails or starts an actor has none, and no number.
inline std::string name_of(Variable variable, Variable first_point, std::size_t points) {
  if (variable < first_point) return "step " + std::to_string(variable);
  const std::size_t place = variable - first_point;
  if (place < points) return "point " + std::to_string(place);
  return "message " + std::to_string(place - points);
}

}  // namespace rehearse::mc::flow
