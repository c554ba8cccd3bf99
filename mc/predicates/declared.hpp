// SPDX-License-Identifier: MIT
//
// The predicates that a program declares in an execution, and the findings of states that contradict one.
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "mc/predicates/global_states.hpp"
#include "simcore/global_state.hpp"
#include "simcore/program.hpp"

namespace rehearse::mc::predicates {

struct Declared {
  std::uint32_t actor;         // the first actor that declared it
  const Published* published;  // never or always
  bool is_never() const { return published->kind == Published::Kind::never; }
  auto key() const { return std::pair(published->kind, std::string_view(published->name)); }
};

// All declared predicates, each once.
std::vector<Declared> declared_in(const std::vector<std::vector<Publication>>& publications);

// The finding of a state that contradicts the predicate; without a schedule.
GlobalState state_of(const Declared& declared, const std::vector<StateSearch::Held>& held, Program& program);

// The first state that contradicts the predicate, or the finding that it names a value that nobody publishes.
// `has_ended`: all actors have ended, so that no more values can be published.
std::optional<GlobalState> state_against(const Declared& declared, StateSearch& search, bool has_ended,
                                         Program& program);

}  // namespace rehearse::mc::predicates
