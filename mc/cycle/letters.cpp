// SPDX-License-Identifier: MIT
//
// See letters.hpp.
#include "mc/cycle/letters.hpp"

#include <algorithm>

#include "simcore/support/format.hpp"

namespace rehearse::mc::cycle {
namespace {

using Term = Predicate::Term;

std::uint64_t letter_of(const TemporalFormula& formula, const StateSpace::Values& values) {
  std::uint64_t letter = 0;
  for (std::size_t i = 0; i < formula.atoms().size(); ++i) {
    std::vector<std::vector<std::int64_t>> by_term;
    for (const Term& term : formula.atoms()[i].terms()) {
      std::vector<std::int64_t>& of_term = by_term.emplace_back();
      for (const auto& [name, value] : values)
        if (name.second == term.name && (term.kind != Term::Kind::of_one || term.actor.value == name.first))
          of_term.push_back(value);
      if (of_term.empty()) of_term.push_back(0);
    }
    if (formula.atoms()[i].holds(by_term)) letter |= std::uint64_t{1} << i;
  }
  return letter;
}

std::set<std::uint32_t> publishers_of(const std::string& name, const std::vector<StateSpace::Values>& values) {
  std::set<std::uint32_t> actors;
  for (const StateSpace::Values& each : values)
    for (const auto& [published, value] : each)
      if (published.second == name) actors.insert(published.first);
  return actors;
}

template <class Visit>
void for_each_term(const TemporalFormula& formula, const Visit& visit) {
  for (const Predicate& atom : formula.atoms())
    for (const Term& term : atom.terms()) visit(term);
}

}  // namespace

std::vector<std::uint64_t> letters_of(const TemporalFormula& formula, const std::vector<StateSpace::Values>& values) {
  std::vector<std::uint64_t> letters;
  for (const StateSpace::Values& each : values) letters.push_back(letter_of(formula, each));
  return letters;
}

std::set<std::string> missing_names(const TemporalFormula& formula, const std::vector<StateSpace::Values>& values) {
  std::set<std::string> names;
  for_each_term(formula, [&](const Term& term) {
    const std::set<std::uint32_t> actors = publishers_of(term.name, values);
    const bool is_of_one = term.kind == Term::Kind::of_one;
    if (actors.empty() || (is_of_one && !actors.contains(term.actor.value)))
      names.insert(is_of_one ? fmt::format("{}@{}", term.name, term.actor.value) : term.name);
  });
  return names;
}

std::set<std::string> ambiguous_names(const TemporalFormula& formula, const std::vector<StateSpace::Values>& values) {
  std::set<std::string> names;
  for_each_term(formula, [&](const Term& term) {
    if (term.kind == Term::Kind::of_only && publishers_of(term.name, values).size() > 1) names.insert(term.name);
  });
  return names;
}

}  // namespace rehearse::mc::cycle
