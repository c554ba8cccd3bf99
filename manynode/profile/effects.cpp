// SPDX-License-Identifier: MIT
//
// Common effects: log t of rank r in iteration i = a + rank effect + iteration effect + rest, by two-way analysis of
// variance without replication.
//
// Source: H. Scheffe, The analysis of variance, 1959, chapter 4; F quantiles: Abramowitz and Stegun, 26.6.15 (after
//         Paulson, 1942).
#include <algorithm>
#include <cmath>
#include <numeric>

#include "manynode/analysis.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::manynode {
namespace {

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Divided by n - 1.
double variance_of(std::span<const double> values) {
  const double mean = mean_of(values);
  double squares = 0;
  for (const double each : values) squares += (each - mean) * (each - mean);
  return squares / static_cast<double>(values.size() - 1);
}

// Whether a quotient of two mean squares is beyond chance (p < 0.001).
bool is_beyond_chance(double quotient, double above, double below) {
  const double root = std::cbrt(quotient), a = 2 / (9 * above), b = 2 / (9 * below);
  return ((1 - b) * root - (1 - a)) / std::sqrt(b * root * root + a) > 3.09;
}

}  // namespace

CommonEffects effects_of(const std::vector<std::vector<double>>& table) {
  REHEARSE_ASSERT(table.size() >= 2 && table.front().size() >= 2, "an analysis of variance without two of both");
  const double p = static_cast<double>(table.size()), n = static_cast<double>(table.front().size());
  std::vector<double> by_rank, by_iteration(table.front().size());
  for (const auto& row : table) {
    by_rank.push_back(mean_of(row));
    for (std::size_t i = 0; i < row.size(); ++i) by_iteration[i] += row[i] / p;
  }
  const double all = mean_of(by_rank);
  double squares = 0;
  for (std::size_t r = 0; r < table.size(); ++r) {
    for (std::size_t i = 0; i < by_iteration.size(); ++i) {
      const double rest = table[r][i] - by_rank[r] - by_iteration[i] + all;
      squares += rest * rest;
    }
  }
  const double rest = squares / ((p - 1) * (n - 1));
  const double ranks = variance_of(by_rank), iterations = variance_of(by_iteration);
  CommonEffects effects;
  effects.rank_sd = std::sqrt(std::max(ranks - rest / n, 0.0));
  effects.iteration_sd = std::sqrt(std::max(iterations - rest / p, 0.0));
  effects.residual_sd = std::sqrt(rest);
  const double freedom = (p - 1) * (n - 1);
  const auto is_effect = [&](double mean_square, double above) {
    return mean_square > 0 && (!(rest > 0) || is_beyond_chance(mean_square / rest, above, freedom));
  };
  effects.are_significant = is_effect(ranks * n, p - 1) || is_effect(iterations * p, n - 1);
  return effects;
}

}  // namespace rehearse::manynode
