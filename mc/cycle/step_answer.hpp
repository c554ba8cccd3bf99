// SPDX-License-Identifier: MIT
//
// The answer that a step gives to its actor, as its identity and as a Reply.
#pragma once

#include "mc/cycle/rules.hpp"

namespace rehearse::mc::cycle {

// `step` is an answer that is possible in the state, to anything but a Send.
history::Hash128 answer_key(const World& world, const Step& step);
void make_answer(const World& world, const Step& step, history::Reply& reply);

}  // namespace rehearse::mc::cycle
