// SPDX-License-Identifier: MIT
//
// Pairs, the ratio with its interval, and the verdict.
#include "app/time_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "simcore/sample_statistics.hpp"

namespace rehearse::app {
namespace {

struct MatchedTimes {
  std::vector<double> first, second;
  bool are_pairs = false;
};

// The times of the runs to compare, in the same order if they are pairs.
MatchedTimes matched(const SeededTimes& first, const SeededTimes& second) {
  const auto by_seed = [](const SeededTimes& times) {
    std::map<std::uint64_t, double> result;
    for (std::size_t i = 0; i < times.seeds.size(); ++i) result.emplace(times.seeds[i], times.seconds[i]);
    return result;
  };
  const auto of_first = by_seed(first), of_second = by_seed(second);
  MatchedTimes pairs{{}, {}, true};
  for (const auto& [seed, seconds] : of_first) {
    const auto found = of_second.find(seed);
    if (found == of_second.end()) continue;
    pairs.first.push_back(seconds);
    pairs.second.push_back(found->second);
  }
  const bool are_unique = of_first.size() == first.seconds.size() && of_second.size() == second.seconds.size();
  const std::size_t fewer = std::min(first.seconds.size(), second.seconds.size());
  if (are_unique && pairs.first.size() == fewer && fewer > 1) return pairs;
  return {first.seconds, second.seconds, false};
}

double faster_part(const MatchedTimes& times) {
  double faster = 0;
  std::size_t all = 0;
  const auto compare = [&](double first, double second) {
    faster += second < first ? 1 : second == first ? 0.5 : 0;
    ++all;
  };
  if (times.are_pairs)
    for (std::size_t i = 0; i < times.first.size(); ++i) compare(times.first[i], times.second[i]);
  else
    for (const double first : times.first)
      for (const double second : times.second) compare(first, second);
  return faster / static_cast<double>(all);
}

std::optional<ConfidenceInterval> interval_of_pairs(const MatchedTimes& times, double first_mean, double second_mean) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < times.first.size(); ++i)
    differences.push_back(times.second[i] / second_mean - times.first[i] / first_mean);
  const double count = static_cast<double>(differences.size());
  const double half = student_factor(differences.size() - 1) * std::sqrt(variance_of(differences) / count);
  const double ratio = second_mean / first_mean;
  return ConfidenceInterval{ratio * std::exp(-half), ratio * std::exp(half)};
}

std::optional<ConfidenceInterval> interval_of_groups(const MatchedTimes& times, double first_mean, double second_mean) {
  // The squared standard error of the logarithm of a mean.
  const auto error_of = [](const std::vector<double>& seconds, double mean) {
    return variance_of(seconds) / (mean * mean) / static_cast<double>(seconds.size());
  };
  const double first = error_of(times.first, first_mean), second = error_of(times.second, second_mean);
  const double freedom = (first + second) * (first + second) /
                         (first * first / static_cast<double>(times.first.size() - 1) +
                          second * second / static_cast<double>(times.second.size() - 1));
  const auto whole = static_cast<std::uint64_t>(std::max(1.0, std::floor(freedom)));  // rounded down: a wider interval
  const double half = student_factor(whole) * std::sqrt(first + second), ratio = second_mean / first_mean;
  return ConfidenceInterval{ratio * std::exp(-half), ratio * std::exp(half)};
}

// Of times that do not vary, which need no test.
TimeVerdict fixed_verdict(double first, double second) {
  return first < second ? TimeVerdict::first_faster : second < first ? TimeVerdict::second_faster : TimeVerdict::equal;
}

}  // namespace

TimeComparison compare_times(const SeededTimes& first, const SeededTimes& second) {
  const MatchedTimes times = matched(first, second);
  TimeComparison result;
  result.first = statistics_of(times.first);
  result.second = statistics_of(times.second);
  result.pairs = times.are_pairs ? times.first.size() : 0;
  const double first_mean = result.first.mean, second_mean = result.second.mean;
  result.ratio = first_mean > 0    ? second_mean / first_mean
                 : second_mean > 0 ? std::numeric_limits<double>::infinity()
                                   : 1;
  result.second_faster_part = faster_part(times);
  if (times.first.size() < 2 || times.second.size() < 2) return result;
  if (result.first.all_equal() && result.second.all_equal()) {
    result.verdict = fixed_verdict(first_mean, second_mean);
    return result;
  }
  if (times.are_pairs) {
    std::vector<double> differences;
    for (std::size_t i = 0; i < times.first.size(); ++i) differences.push_back(times.second[i] - times.first[i]);
    result.by_chance = sign_probability(differences);
  } else {
    result.by_chance = group_probability(times.first, times.second);
  }
  if (first_mean > 0 && second_mean > 0)
    result.of_ratio = times.are_pairs ? interval_of_pairs(times, first_mean, second_mean)
                                      : interval_of_groups(times, first_mean, second_mean);
  if (result.by_chance->p >= error_tolerated) result.verdict = TimeVerdict::no_difference;
  else result.verdict = first_mean < second_mean ? TimeVerdict::first_faster : TimeVerdict::second_faster;
  return result;
}

}  // namespace rehearse::app
