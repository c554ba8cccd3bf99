// SPDX-License-Identifier: MIT
//
// See conditions.hpp.
#include "manynode/inference/conditions.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace rehearse::manynode::inference {

Conditions::Conditions(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {
  constexpr Function equal = Function::equal, unequal = Function::unequal, less = Function::less,
                     greater = Function::greater, greater_equal = Function::greater_equal;
  const Term& ranks = vocabulary.ranks();
  const Term& rank = vocabulary.rank();
  const Term last = ranks - Term(1);
  const auto add_place = [this](const Term& place, const Term& size, double extra) {
    const Term end = size - Term(1);
    add(compare(equal, place, Term(0)), extra);
    add(compare(greater, place, Term(0)), extra);
    add(compare(equal, place, end), extra);
    add(compare(less, place, end), extra);
    for (const Function how : {equal, unequal}) add(compare(how, place % Term(2), Term(0)), extra + 0.2);
    add(compare(less, place, size / Term(2)), extra + 0.3);
    add(compare(greater_equal, place, size / Term(2)), extra + 0.3);
  };
  add_place(rank, ranks, -0.5);
  for (const Grid& grid : vocabulary.grids()) {
    for (std::size_t k = 0; k < grid.sizes.size(); ++k) {
      add_place(grid.places[k], grid.sizes[k], 0);
      for (const Function how : {equal, unequal}) {
        add(compare(how, grid.sizes[k], Term(1)), 0);
        add(compare(how, grid.sizes[k], Term(2)), 0.5);
      }
    }
    if (grid.sizes.size() == 2)
      for (const Function how : {equal, unequal}) {
        add(compare(how, grid.places[0], grid.places[1]), 0.3);
        add(compare(how, grid.sizes[0], grid.sizes[1]), 0.3);
      }
  }
  for (const double number : {1.0, 2.0, 3.0, 4.0, 8.0}) {
    add(compare(equal, rank, Term(number)), 0.3);
    for (const Function how : {less, greater_equal}) add(compare(how, rank, Term(number)), 0.5);
  }
  for (const double number : {3.0, 4.0, 8.0, 16.0})
    for (const Function how : {equal, unequal}) add(compare(how, rank % Term(number), Term(0)), 0.3);
  for (const double step : {1.0, 2.0}) {
    const Term child = Term(2) * rank + Term(step);
    add(compare(less, child, ranks), 0.5);
    add(compare(greater_equal, child, ranks), 0.5);
  }
  add(compare(less, exclusive_or(rank, Term(1)), ranks), 0.5);
  std::ranges::stable_sort(all_, {}, &Elementary::cost);
}

void Conditions::add(const Term& term, double extra) {
  Elementary& made = all_.emplace_back(Elementary{term, term.cost() + extra, {}});
  static constexpr std::int32_t no_counters[most_depth] = {};
  for (std::size_t i = 0; i < vocabulary_.members(); ++i) {
    const double value = term.at({vocabulary_.member(static_cast<std::uint32_t>(i)).names.data(), no_counters});
    made.holds.push_back(value != 0 && value == value);
  }
}

std::optional<Term> Conditions::separate(const std::vector<char>& in, const std::vector<char>& others) const {
  if (std::ranges::none_of(others, [](char each) { return each != 0; })) return Term(1);
  const auto found = find(in, others), without = find(others, in);
  if (!without) return found;
  const Term negated = Term::make(Function::negation, {*without});
  return found && found->cost() <= negated.cost() ? *found : negated;
}

// One condition, or two, of the least cost; otherwise all but those that can be left out.
std::optional<Term> Conditions::find(const std::vector<char>& in, const std::vector<char>& others) const {
  std::vector<const Elementary*> chosen;
  for (const Elementary& each : all_) {
    bool holds = true;
    for (std::size_t i = 0; i < in.size() && holds; ++i) holds = in[i] == 0 || each.holds[i] != 0;
    if (holds) chosen.push_back(&each);
  }
  const auto excludes = [&](const std::vector<const Elementary*>& conditions) {
    for (std::size_t i = 0; i < others.size(); ++i)
      if (others[i] != 0 && std::ranges::none_of(conditions, [i](const Elementary* each) { return !each->holds[i]; }))
        return false;
    return true;
  };
  for (const Elementary* each : chosen)
    if (excludes({each})) return each->term;
  const Elementary *first = nullptr, *second = nullptr;
  for (std::size_t i = 0; i < chosen.size(); ++i)
    for (std::size_t k = i + 1; k < chosen.size(); ++k) {
      if (first != nullptr && chosen[i]->cost + chosen[k]->cost >= first->cost + second->cost) break;
      if (excludes({chosen[i], chosen[k]})) first = chosen[i], second = chosen[k];
    }
  if (first != nullptr) return both(first->term, second->term);
  if (!excludes(chosen)) return std::nullopt;
  for (std::size_t i = chosen.size(); i-- > 0;) {
    std::vector<const Elementary*> rest = chosen;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    if (excludes(rest)) chosen = std::move(rest);
  }
  Term all = chosen.front()->term;
  for (std::size_t i = 1; i < chosen.size(); ++i) all = both(all, chosen[i]->term);
  return all;
}

}  // namespace rehearse::manynode::inference
