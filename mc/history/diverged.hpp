// SPDX-License-Identifier: MIT
//
// Hidden non-determinism: after the same answers, an actor makes another operation than before.
#pragma once

#include <string>
#include <string_view>

#include "simcore/ids.hpp"
#include "simcore/operation.hpp"
#include "simcore/program.hpp"

namespace rehearse::mc::history {

struct Diverged {
  ActorId actor;
  std::string what;  // the difference, as a clause
  std::string noun;  // Program::actor_noun
};

std::string to_text(const Diverged& diverged);

// A short name of an operation, with its main arguments.
std::string in_words(const Operation& operation, std::string_view noun);

// The difference between two operations that should be equal. `place`: the call of `now`, the actor's current
// operation.
std::string describe_difference(const Operation& before, const Operation& now, bool has_other_data,
                                const CallDescription& place, std::string_view noun);

}  // namespace rehearse::mc::history
