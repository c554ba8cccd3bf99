// SPDX-License-Identifier: MIT
//
// See vocabulary.hpp.
#include "manynode/inference/vocabulary.hpp"

#include <algorithm>
#include <utility>

#include "manynode/skeleton.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::manynode::inference {

namespace {

constexpr std::uint32_t most_fixed = 16;

}  // namespace

Vocabulary::Vocabulary(const std::vector<std::uint32_t>& sizes)
    : sizes_(sizes),
      ranks_(Term::name(name_of_ranks, "P")),
      rank_(Term::name(name_of_rank, "r")) {
  for (std::uint32_t dimensions = 2; dimensions <= 3; ++dimensions) {
    const auto is_flat = [&](std::uint32_t ranks) { return balanced_factors(ranks, dimensions).back() == 1; };
    if (dimensions == 3 && std::ranges::all_of(sizes, is_flat)) break;
    std::vector<Term> factors;
    for (std::uint32_t k = 0; k < dimensions; ++k)
      factors.push_back(
          define(fmt::format("{}{}", dimensions == 2 ? "a" : "b", k),
                 Term::make(Function::dims, {ranks_, Term(dimensions), Term(k)})));
    add_grid(factors, dimensions == 2 ? "x" : "u", false, 0);
    add_grid(factors, dimensions == 2 ? "y" : "v", true, 0.3);
  }
  add_fixed_grids();
  for (std::size_t run = 0; run < sizes.size(); ++run) {
    first_of_run_.push_back(static_cast<std::uint32_t>(members_.size()));
    for (std::uint32_t rank = 0; rank < sizes[run]; ++rank)
      members_.push_back({sizes[run], rank, values_at(sizes[run], rank)});
  }
}

Term Vocabulary::define(std::string text, const Term& meaning) {
  names_.push_back({text, meaning});
  return Term::name(first_own_name + names_.size() - 1, std::move(text));
}

void Vocabulary::add_grid(std::vector<Term> sizes, const std::string& prefix, bool first_is_fastest, double cost) {
  const std::size_t dimensions = sizes.size();
  Grid grid{sizes, std::vector<Term>(dimensions, Term(0)), std::vector<Term>(dimensions, Term(1)), cost};
  Term stride(1);
  for (std::size_t i = 0; i < dimensions; ++i) {
    const std::size_t k = first_is_fastest ? i : dimensions - 1 - i;
    Term place = quotient(rank_, stride);
    if (i + 1 < dimensions) place = place % sizes[k];
    grid.strides[k] = stride;
    grid.places[k] = define(fmt::format("{}{}", prefix, k), place);
    stride = stride * sizes[k];
  }
  grids_.push_back(std::move(grid));
}

// Groups of a fixed number of ranks, and a fixed number of groups.
void Vocabulary::add_fixed_grids() {
  for (std::uint32_t size = 2; size <= most_fixed; ++size) {
    const auto fits = [size](std::uint32_t ranks) { return ranks % size == 0 && ranks > size; };
    if (!std::ranges::all_of(sizes_, fits)) continue;
    const Term fixed(size), other = ranks_ / fixed;
    grids_.push_back({{other, fixed}, {quotient(rank_, fixed), rank_ % fixed}, {fixed, Term(1)}, 0.6});
    grids_.push_back({{fixed, other}, {quotient(rank_, other), rank_ % other}, {other, Term(1)}, 0.9});
  }
}

std::vector<double> Vocabulary::values_at(std::uint32_t ranks, std::uint32_t rank) const {
  std::vector<double> values(first_own_name + names_.size());
  values[name_of_ranks] = ranks;
  values[name_of_rank] = rank;
  for (std::size_t i = 0; i < names_.size(); ++i)
    values[first_own_name + i] = names_[i].meaning.at({values.data(), nullptr});
  return values;
}

}  // namespace rehearse::manynode::inference
