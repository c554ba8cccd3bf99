// SPDX-License-Identifier: MIT
//
// Which predicates of a formula are true for which published values. A value that was not published yet is 0; so are
// the sum, minimum and maximum of none.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "mc/cycle/state_space.hpp"
#include "mc/temporal_formula.hpp"

namespace rehearse::mc::cycle {

// By index of the values; bit i: atom i is true.
std::vector<std::uint64_t> letters_of(const TemporalFormula& formula, const std::vector<StateSpace::Values>& values);

// Names of the formula that no actor has published, and names without an actor that several have published.
std::set<std::string> missing_names(const TemporalFormula& formula, const std::vector<StateSpace::Values>& values);
std::set<std::string> ambiguous_names(const TemporalFormula& formula, const std::vector<StateSpace::Values>& values);

}  // namespace rehearse::mc::cycle
