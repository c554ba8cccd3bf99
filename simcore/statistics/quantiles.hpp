// SPDX-License-Identifier: MIT
//
// Mean, extremes and quantiles of samples. Up to 1,024 samples the quantiles are exact; with more, they are at most
// 1.1 % too high.
//
// Definition: the quantile q of n samples is the sorted one of number ceil(q n), from 1.
// Requires:   samples >= 0.
// Threads:    none.
#pragma once

#include <cstdint>
#include <vector>

namespace rehearse::statistics {

class Quantiles {
 public:
  void add(double sample);

  std::uint64_t count() const { return count_; }
  double least() const { return least_; }
  double greatest() const { return greatest_; }
  double mean() const { return count_ > 0 ? sum_ / static_cast<double>(count_) : 0; }
  // 0 without samples.
  double at(double quantile) const;

 private:
  static constexpr std::size_t exact_max = 1024;
  static constexpr int bins_per_octave = 64;

  static int bin_of(double sample);
  void count_in_bin(double sample);

  std::uint64_t count_ = 0;
  double sum_ = 0, least_ = 0, greatest_ = 0;
  std::vector<double> samples_;  // empty: bins
  std::vector<std::uint64_t> bins_;
  int first_bin_ = 0;
};

}  // namespace rehearse::statistics
