// SPDX-License-Identifier: MIT
//
// Compares the times of repeated runs under two configurations: which is faster in the mean, by how much, and with what
// probability chance alone gives a difference as large.
//
// Pairs:    if both have runs with the same seeds, and all seeds of one are seeds of the other, runs with equal seeds
//           are pairs, and only these are compared.
// Test:     a permutation test of the means, two-sided. Pairs: the sign of each difference is exchanged (Fisher).
//           Otherwise the times are distributed anew to both (Pitman). All ways are counted if there are at most
//           exact_ways_most; otherwise 100,000 of them are drawn with a fixed seed, and those given count as one more,
//           so that the probability is never 0 (Phipson and Smyth).
// Interval: of the ratio of the means, of confidence 95 %, by Student's t of its logarithm: the variance of the
//           logarithm is that of the relative differences (delta method); without pairs with Welch's degrees of
//           freedom.
// Verdict:  a difference is one if the probability is below 5 %.
// Source:   R. Fisher, The design of experiments, 1935, section 21; E. Pitman, Significance tests which may be applied
//           to samples from any populations, JRSS supplement 4, 1937; B. Phipson, G. Smyth, Permutation P-values should
//           never be zero, Statistical applications in genetics and molecular biology 9, 2010; B. Welch, The
//           generalization of "Student's" problem, Biometrika 34, 1947.
// Threads:  none.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "app/repeated_times.hpp"

namespace rehearse::app {

struct SeededTimes {
  std::vector<std::uint64_t> seeds;  // as many as times; empty: not known
  std::vector<double> seconds;       // at least one
};

struct ChanceProbability {
  double p = 1;
  bool is_exact = false;  // all ways were counted
  double least = 0;       // that an exact test of so many runs can give
};

inline constexpr double exact_ways_most = 1 << 20;
inline constexpr double error_tolerated = 1 - interval_confidence;

// The part of the exchanges of signs that give a sum at least as far from 0.
ChanceProbability sign_probability(std::span<const double> differences);
// The part of the distributions of all values to groups of these sizes that give a difference of means at least as far
// from 0.
ChanceProbability group_probability(std::span<const double> one, std::span<const double> other);

enum class TimeVerdict : std::uint8_t {
  first_faster,
  second_faster,
  no_difference,  // found
  equal,          // each file has one time, and it is the same
  untested        // there is one run of one or of both
};

struct TimeComparison {
  TimeStatistics first, second;  // of the runs that are compared
  TimeVerdict verdict = TimeVerdict::untested;
  std::uint64_t pairs = 0;                     // 0: not paired
  double ratio = 0;                            // mean of the second by that of the first; infinite if that is 0
  std::optional<ConfidenceInterval> of_ratio;  // none: a run alone, or times that do not vary
  std::optional<ChanceProbability> by_chance;  // likewise
  double second_faster_part = 0;               // of the pairs, or of all pairs of a run of each; ties count half
};

TimeComparison compare_times(const SeededTimes& first, const SeededTimes& second);

}  // namespace rehearse::app
