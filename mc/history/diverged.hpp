// SPDX-License-Identifier: MIT
//
// Hidden non-determinism: an actor asked for something else than the last time it was given the same answers.
#pragma once

#include <string>
#include <string_view>

#include "simcore/ids.hpp"
#include "simcore/operation.hpp"
#include "simcore/program.hpp"

namespace rehearse::mc::history {

struct Diverged {
  ActorId actor;
  std::string what;
  std::string noun;  // what actors are called, see Program::actor_noun
};

std::string to_text(const Diverged& diverged);

// What an operation asks for, in a few words.
std::string in_words(const Operation& operation, std::string_view noun);

// What is said of two operations that should be one. `now` is where the actor stands, as `place` says.
std::string describe_difference(const Operation& before, const Operation& now, bool has_other_data,
                                const CallDescription& place, std::string_view noun);

}  // namespace rehearse::mc::history
