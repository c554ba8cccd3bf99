// SPDX-License-Identifier: MIT
//
// Permutation tests of means.
#include <cmath>
#include <numeric>
#include <utility>

#include "app/time_comparison.hpp"
#include "simcore/support/random.hpp"

namespace rehearse::app {
namespace {

constexpr std::uint64_t drawn_ways = 100'000;
constexpr std::uint64_t draw_seed = 1;
constexpr double rounding = 1e-12;  // sums of the same values in another order are the same

double sum_of(std::span<const double> values) { return std::accumulate(values.begin(), values.end(), 0.0); }

double magnitude_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += std::abs(value);
  return sum;
}

// The number of choices of `some` of `all`; an approximation above 2^53.
double choices(std::size_t all, std::size_t some) {
  double ways = 1;
  for (std::size_t i = 1; i <= some; ++i)
    ways = std::round(ways * static_cast<double>(all - some + i)) / static_cast<double>(i);
  return ways;
}

std::uint64_t count_signs(std::span<const double> differences, double sum, double limit) {
  if (differences.empty()) return std::abs(sum) >= limit ? 1 : 0;
  const auto rest = differences.subspan(1);
  return count_signs(rest, sum + differences[0], limit) + count_signs(rest, sum - differences[0], limit);
}

// Choices of `some` of the values whose sum, with `sum`, is at least `limit` away from `expected`.
std::uint64_t count_groups(std::span<const double> values, std::size_t some, double sum, double expected,
                           double limit) {
  if (some == 0) return std::abs(sum - expected) >= limit ? 1 : 0;
  if (values.size() == some) return std::abs(sum + sum_of(values) - expected) >= limit ? 1 : 0;
  const auto rest = values.subspan(1);
  return count_groups(rest, some - 1, sum + values[0], expected, limit) +
         count_groups(rest, some, sum, expected, limit);
}

ChanceProbability counted_all(std::uint64_t extreme, double ways, double least) {
  return {static_cast<double>(extreme) / ways, true, least};
}

ChanceProbability counted_drawn(std::uint64_t extreme, double least) {
  return {static_cast<double>(extreme + 1) / static_cast<double>(drawn_ways + 1), false, least};
}

}  // namespace

ChanceProbability sign_probability(std::span<const double> differences) {
  const double ways = std::pow(2.0, static_cast<double>(differences.size()));
  const double least = std::min(1.0, 2 / ways);
  const double limit = std::abs(sum_of(differences)) - rounding * magnitude_of(differences);
  if (ways <= exact_ways_most) return counted_all(count_signs(differences, 0, limit), ways, least);
  SplitMix random(draw_seed);
  std::uint64_t extreme = 0;
  for (std::uint64_t way = 0; way < drawn_ways; ++way) {
    double sum = 0;
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < differences.size(); ++i, bits >>= 1) {
      if (i % 64 == 0) bits = random.next();
      sum += (bits & 1) != 0 ? differences[i] : -differences[i];
    }
    extreme += std::abs(sum) >= limit ? 1 : 0;
  }
  return counted_drawn(extreme, least);
}

ChanceProbability group_probability(std::span<const double> one, std::span<const double> other) {
  const bool is_smaller = one.size() <= other.size();
  const std::span<const double> smaller = is_smaller ? one : other, larger = is_smaller ? other : one;
  std::vector<double> all(smaller.begin(), smaller.end());
  all.insert(all.end(), larger.begin(), larger.end());
  // With the sum of all, that of one group determines the difference of the means.
  const double part = static_cast<double>(smaller.size()) / static_cast<double>(all.size());
  const double expected = part * sum_of(all);
  const double limit = std::abs(sum_of(smaller) - expected) - rounding * magnitude_of(all);
  const double ways = choices(all.size(), smaller.size());
  const double least = std::min(1.0, (one.size() == other.size() ? 2 : 1) / ways);
  if (ways <= exact_ways_most) return counted_all(count_groups(all, smaller.size(), 0, expected, limit), ways, least);
  SplitMix random(draw_seed);
  std::uint64_t extreme = 0;
  for (std::uint64_t way = 0; way < drawn_ways; ++way) {
    double sum = 0;
    for (std::size_t i = 0; i < smaller.size(); ++i) {
      std::swap(all[i], all[i + random.below(all.size() - i)]);
      sum += all[i];
    }
    extreme += std::abs(sum - expected) >= limit ? 1 : 0;
  }
  return counted_drawn(extreme, least);
}

}  // namespace rehearse::app
