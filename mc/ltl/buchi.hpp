// SPDX-License-Identifier: MIT
//
// A generalised Büchi automaton for the infinite words on which a formula of linear temporal logic holds.
//
// A run visits a state for each letter, and the letter must fit the state. It begins in an initial state and accepts if
// it visits a state of each accepting set again and again.
// Source: Gerth, Peled, Vardi, Wolper, Simple on-the-fly automatic verification of linear temporal logic, PSTV 1995,
//         figures 1 and 2. Differences: the sets of a node are bits of formulas in negation normal form, and nodes that
//         are closed under all rules are found by a map. The automaton stays generalised, as the search expects.
// Errors: an automaton of too many states is none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "mc/temporal_formula.hpp"

namespace rehearse::mc::ltl {

struct Buchi {
  static constexpr std::size_t states_max = 20'000;

  struct State {
    std::uint64_t needs = 0;    // atoms that must be true
    std::uint64_t forbids = 0;  // atoms that must be false
    bool is_initial = false;
    std::vector<std::uint32_t> next;
    std::vector<bool> accepting;  // by accepting set

    bool fits(std::uint64_t letter) const { return (letter & needs) == needs && (letter & forbids) == 0; }
  };
  std::vector<State> states;
  std::size_t sets = 0;  // number of accepting sets
};

// For the words on which the formula holds, or with `negated` those on which it does not.
std::optional<Buchi> automaton_of(const TemporalFormula& formula, bool negated);

}  // namespace rehearse::mc::ltl
