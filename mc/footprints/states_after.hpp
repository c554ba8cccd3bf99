// SPDX-License-Identifier: MIT
//
// What a step does to a set of states of its actor, word by word.
//
// Threads: none.
#pragma once

#include <functional>
#include <optional>

#include "mc/footprints/machine.hpp"
#include "mc/footprints/word_states.hpp"

namespace rehearse::mc::footprints {

// The states that a step starts from: those of `states` in which the words have the chosen values.
struct StatesBefore {
  const WordStates& states;
  const Values& chosen;
  std::function<Value(Word)> initial;  // after the start of the actor
  // The value that the word has in all these states. Empty: it has several, or it is not known.
  std::function<std::optional<Value>(Word, const WordFunction&)> only_value;
};

// The states after it. `taken`: the message that it takes, or `none`. `moves_statements`: a rule that tests leave out;
// if false, a word to which another one is moved is only added to.
WordStates states_after(const StatesBefore& from, MessageId taken, const Effect& effect, bool moves_statements);

}  // namespace rehearse::mc::footprints
