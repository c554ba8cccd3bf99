// SPDX-License-Identifier: MIT
//
// See vocabulary.hpp.
#include "manynode/inference/vocabulary.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "manynode/skeleton.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::manynode::inference {

namespace {

constexpr std::uint32_t most_in_group = 16, most_dimensions = 3;

}  // namespace

std::vector<Hypothesis> hypotheses_for(const std::vector<std::uint32_t>& sizes) {
  std::vector<Hypothesis> all = {{}, {GridKind::none, 0, true}};
  for (std::uint32_t dimensions = 2; dimensions <= most_dimensions; ++dimensions) {
    const auto is_flat = [&](std::uint32_t ranks) { return balanced_factors(ranks, dimensions).back() == 1; };
    if (std::ranges::all_of(sizes, is_flat)) break;
    for (const bool has_edges : {false, true})
      for (const GridKind kind : {GridKind::rows, GridKind::columns}) all.push_back({kind, dimensions, has_edges});
  }
  for (std::uint32_t size = 2; size <= most_in_group; ++size) {
    const auto fits = [size](std::uint32_t ranks) { return ranks % size == 0 && ranks > size; };
    if (!std::ranges::all_of(sizes, fits)) continue;
    for (const bool has_edges : {false, true}) all.push_back({GridKind::groups, size, has_edges});
  }
  return all;
}

Vocabulary::Vocabulary(const std::vector<std::uint32_t>& sizes, const Hypothesis& hypothesis)
    : has_edges_(hypothesis.has_edges), ranks_(Term::name(name_of_ranks, "P")), rank_(Term::name(name_of_rank, "r")) {
  static constexpr std::array places = {"x", "y", "z"};
  if (hypothesis.kind == GridKind::groups) add_groups(hypothesis.size);
  if (hypothesis.kind == GridKind::rows || hypothesis.kind == GridKind::columns) {
    std::vector<Term> factors;
    for (std::uint32_t k = 0; k < hypothesis.size; ++k)
      factors.push_back(
          define(fmt::format("n{}", places[k]), Term::make(Function::dims, {ranks_, Term(hypothesis.size), Term(k)})));
    add_grid(factors, hypothesis.kind == GridKind::columns);
  }
  for (std::size_t run = 0; run < sizes.size(); ++run) {
    first_of_run_.push_back(static_cast<std::uint32_t>(members_.size()));
    for (std::uint32_t rank = 0; rank < sizes[run]; ++rank)
      members_.push_back({sizes[run], rank, values_at(sizes[run], rank)});
  }
}

std::uint32_t Vocabulary::edges_of(std::uint32_t index) const {
  if (!has_edges_) return 0;
  const Member& member = members_[index];
  if (grids_.empty()) return (member.rank == 0 ? 1u : 0u) + (member.rank + 1 == member.ranks ? 2u : 0u);
  std::uint32_t edges = 0;
  const Place at{member.names.data(), nullptr};
  for (const Grid& grid : grids_)
    for (std::size_t k = 0; k < grid.sizes.size(); ++k) {
      const double place = grid.places[k].at(at);
      edges = 4 * edges + (place == 0 ? 1u : 0u) + (place + 1 == grid.sizes[k].at(at) ? 2u : 0u);
    }
  return edges;
}

Term Vocabulary::define(std::string text, const Term& meaning) {
  names_.push_back({text, meaning});
  return Term::name(first_own_name + names_.size() - 1, std::move(text));
}

void Vocabulary::add_grid(const std::vector<Term>& sizes, bool first_is_fastest) {
  static constexpr std::array names = {"x", "y", "z"};
  const std::size_t dimensions = sizes.size();
  Grid grid{sizes, std::vector<Term>(dimensions, Term(0)), std::vector<Term>(dimensions, Term(1))};
  Term stride(1);
  for (std::size_t i = 0; i < dimensions; ++i) {
    const std::size_t k = first_is_fastest ? i : dimensions - 1 - i;
    Term place = quotient(rank_, stride);
    if (i + 1 < dimensions) place = place % sizes[k];
    grid.strides[k] = stride;
    grid.places[k] = define(names[k], place);
    stride = stride * sizes[k];
  }
  grids_.push_back(std::move(grid));
}

// Groups of this number of ranks.
void Vocabulary::add_groups(std::uint32_t size) {
  const Term fixed(size), others = define("groups", ranks_ / fixed);
  const Term group = define("group", quotient(rank_, fixed)), place = define("place", rank_ % fixed);
  grids_.push_back({{others, fixed}, {group, place}, {fixed, Term(1)}});
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
