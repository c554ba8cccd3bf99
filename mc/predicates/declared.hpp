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
  std::uint32_t actor;         // the first that did
  const Published* published;  // never or always
  bool is_never() const { return published->kind == Published::Kind::never; }
  auto key() const { return std::pair(published->kind, std::string_view(published->name)); }
};

// Each predicate once.
std::vector<Declared> declared_in(const std::vector<std::vector<Publication>>& publications);

// The finding of a state that contradicts the predicate; without a schedule.
GlobalState state_of(const Declared& declared, const std::vector<StateSearch::Held>& held, Program& program);

// The first such state, or that it asks about something that was not published. `has_ended`: all actors have, so that
// nothing will be any more.
std::optional<GlobalState> state_against(const Declared& declared, StateSearch& search, bool has_ended,
                                         Program& program);

}  // namespace rehearse::mc::predicates
