// SPDX-License-Identifier: MIT
//
// Sums of rows, and equal columns.
#include "mc/flow/coarse_system.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace rehearse::mc::flow {

namespace {

using Entry = std::pair<std::uint32_t, std::int64_t>;  // row or sum, factor

// Ascending, each row once, without zeros.
void tidy_up(std::vector<Entry>& entries) {
  std::ranges::sort(entries);
  std::size_t kept = 0;
  for (const Entry& entry : entries) {
    if (kept > 0 && entries[kept - 1].first == entry.first) entries[kept - 1].second += entry.second;
    else entries[kept++] = entry;
    if (entries[kept - 1].second == 0) --kept;
  }
  entries.resize(kept);
}

}  // namespace

CoarseSystem::CoarseSystem(const System& system, Detail detail, const Question& distinguishing)
    : system_(system), parts_(system.rows().size()) {
  make_sums(detail);
  make_columns(detail, distinguishing);
}

void CoarseSystem::make_sums(Detail detail) {
  // In each family, equations and inequalities apart; `place` only if it makes a difference.
  std::map<std::tuple<std::uint32_t, Relation, std::int32_t>, std::vector<std::uint32_t>> groups;
  std::vector<std::vector<std::uint32_t>> lists;
  for (std::uint32_t r = 0; r < system_.rows().size(); ++r) {
    const Family family = system_.family(r);
    if (detail == Detail::rows || family.id == no_family.id) {
      lists.push_back({r});
      continue;
    }
    const std::int32_t place = detail == Detail::layers ? family.place : 0;
    groups[{family.id, system_.rows()[r].relation, place}].push_back(r);
  }
  for (auto& [key, rows] : groups) lists.push_back(std::move(rows));
  const auto place = [&](std::uint32_t row) { return system_.family(row).place; };
  const auto begin_sum = [&](const std::vector<std::uint32_t>& rows) {
    relations_.push_back(system_.rows()[rows.front()].relation);
  };
  for (const std::vector<std::uint32_t>& rows : lists) {
    const auto [first, last] = std::ranges::minmax(rows, {}, place);
    for (const std::uint32_t r : rows) parts_[r].push_back({static_cast<std::uint32_t>(relations_.size()), 1});
    begin_sum(rows);
    if (place(first) == place(last)) continue;
    for (const std::uint32_t r : rows)
      if (place(r) > 0) parts_[r].push_back({static_cast<std::uint32_t>(relations_.size()), place(r)});
    begin_sum(rows);
    largest_weight_ = std::max(largest_weight_, place(last) + 1);
  }
  program_.row_low.assign(relations_.size(), 0);
  program_.row_high.assign(relations_.size(), 0);
  for (std::uint32_t r = 0; r < system_.rows().size(); ++r)
    for (const Part& part : parts_[r])
      program_.row_high[part.sum] += static_cast<double>(system_.rows()[r].bound) * part.weight;
  for (std::size_t s = 0; s < relations_.size(); ++s)
    program_.row_low[s] = relations_[s] == Relation::equal ? program_.row_high[s] : -LinearProgram::infinite;
}

void CoarseSystem::make_columns(Detail detail, const Question& distinguishing) {
  std::vector<std::vector<Entry>> entries(system_.variable_count());
  for (std::uint32_t r = 0; r < system_.rows().size(); ++r)
    for (const Term& term : system_.rows()[r].terms)
      for (const Part& part : parts_[r])
        entries[term.variable].push_back({part.sum, std::int64_t{part.weight} * term.factor});
  for (std::vector<Entry>& column : entries) tidy_up(column);
  // What the question says about a variable: its factors, and its value.
  std::vector<std::vector<Entry>> marks(system_.variable_count());
  for (std::uint32_t r = 0; r < distinguishing.rows.size(); ++r)
    for (const Term& term : distinguishing.rows[r].terms) marks[term.variable].push_back({r, term.factor});
  for (const Fixed& fixed : distinguishing.fixed) marks[fixed.variable].push_back({~std::uint32_t{0}, fixed.value + 1});
  for (std::vector<Entry>& mark : marks) tidy_up(mark);

  column_of_.resize(system_.variable_count());
  program_.starts.push_back(0);
  std::map<std::pair<std::vector<Entry>, std::vector<Entry>>, int> known;
  for (Variable v = 0; v < system_.variable_count(); ++v) {
    if (detail == Detail::rows) {
      column_of_[v] = static_cast<int>(v);
      add_column(entries[v]);
      continue;
    }
    const auto next = static_cast<int>(size_.size());
    const auto [found, is_new] = known.emplace(std::pair(std::move(entries[v]), std::move(marks[v])), next);
    if (is_new) add_column(found->first.first);
    else ++size_[static_cast<std::size_t>(found->second)];
    column_of_[v] = found->second;
  }
  program_.low.assign(size_.size(), 0);
  program_.high.assign(size_.begin(), size_.end());
}

void CoarseSystem::add_column(std::span<const Entry> entries) {
  for (const auto& [sum, factor] : entries) {
    program_.rows.push_back(static_cast<int>(sum));
    program_.factors.push_back(static_cast<double>(factor));
  }
  program_.starts.push_back(static_cast<int>(program_.rows.size()));
  size_.push_back(1);
}

std::optional<CoarseQuestion> CoarseSystem::coarsen(const Question& question) const {
  CoarseQuestion coarse;
  for (const Row& row : question.rows) {
    std::map<Variable, std::int64_t> factors;
    for (const Term& term : row.terms) factors[term.variable] += term.factor;
    std::map<std::pair<int, std::int64_t>, std::uint32_t> counts;  // by column and factor: variables
    for (const auto& [variable, factor] : factors)
      if (factor != 0) ++counts[{column_of_[variable], factor}];
    for (const auto& [what, count] : counts) {
      if (count != size_[static_cast<std::size_t>(what.first)]) return std::nullopt;
      coarse.columns.push_back(what.first);
      coarse.factors.push_back(static_cast<double>(what.second));
    }
    coarse.starts.push_back(static_cast<int>(coarse.columns.size()));
    const auto bound = static_cast<double>(row.bound);
    coarse.row_low.push_back(row.relation == Relation::equal ? bound : -LinearProgram::infinite);
    coarse.row_high.push_back(bound);
  }
  std::map<int, CoarseQuestion::Bounds> bounds;
  for (const Fixed& fixed : question.fixed) {
    const int column = column_of_[fixed.variable];
    const double size = size_[static_cast<std::size_t>(column)];
    CoarseQuestion::Bounds& of = bounds.try_emplace(column, column, 0.0, size).first->second;
    if (fixed.value) of.low += 1;
    else of.high -= 1;
  }
  for (const auto& [column, of] : bounds) coarse.bounds.push_back(of);
  return coarse;
}

Multipliers CoarseSystem::lift(std::span<const std::int64_t> multipliers) const {
  Multipliers all(parts_.size());
  for (std::size_t r = 0; r < parts_.size(); ++r)
    for (const Part& part : parts_[r]) all[r] += multipliers[part.sum] * part.weight;
  all.insert(all.end(), multipliers.begin() + static_cast<std::ptrdiff_t>(relations_.size()), multipliers.end());
  return all;
}

}  // namespace rehearse::mc::flow
