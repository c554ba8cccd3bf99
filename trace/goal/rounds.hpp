// SPDX-License-Identifier: MIT
//
// The messages of a collective in a trace, as one member sees them, round by round.
#pragma once

#include <cstdint>

#include "trace/action.hpp"
#include "trace/goal_conversion.hpp"

namespace rehearse::trace::goal {

// Takes them: in each round first the receives, then the sends. Members are indices.
class Rounds {
 public:
  virtual ~Rounds() = default;
  virtual void receive(std::uint32_t source) = 0;
  virtual void send(std::uint32_t destination, std::uint64_t bytes) = 0;
  virtual void end_round() = 0;
};

void plan_rounds(const CollectiveAction& action, std::uint32_t member, std::uint32_t members,
                 const GoalConversion& options, Rounds& rounds);

}  // namespace rehearse::trace::goal
