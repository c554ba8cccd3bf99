// SPDX-License-Identifier: MIT
//
// Bins on a logarithmic scale: 64 for each power of two.
#include "simcore/statistics/quantiles.hpp"

#include <algorithm>
#include <cmath>

namespace rehearse::statistics {

void Quantiles::add(double sample) {
  least_ = count_ == 0 ? sample : std::min(least_, sample);
  greatest_ = std::max(greatest_, sample);
  sum_ += sample;
  ++count_;
  if (!bins_.empty()) return count_in_bin(sample);
  samples_.push_back(sample);
  if (samples_.size() <= exact_max) return;
  for (const double each : samples_) count_in_bin(each);
  samples_ = {};
}

int Quantiles::bin_of(double sample) {
  constexpr double smallest = 1e-300;
  return static_cast<int>(std::floor(std::log2(std::max(sample, smallest)) * bins_per_octave));
}

void Quantiles::count_in_bin(double sample) {
  const int bin = bin_of(sample);
  if (bins_.empty()) first_bin_ = bin;
  if (bin < first_bin_) {
    bins_.insert(bins_.begin(), static_cast<std::size_t>(first_bin_ - bin), 0);
    first_bin_ = bin;
  }
  const auto place = static_cast<std::size_t>(bin - first_bin_);
  if (place >= bins_.size()) bins_.resize(place + 1);
  ++bins_[place];
}

double Quantiles::at(double quantile) const {
  if (count_ == 0) return 0;
  const double wanted = std::ceil(quantile * static_cast<double>(count_) - 1e-9);
  const auto number = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::max(wanted, 1.0)), 1, count_);
  if (bins_.empty()) {
    std::vector<double> sorted = samples_;
    const auto nth = sorted.begin() + static_cast<std::ptrdiff_t>(number - 1);
    std::ranges::nth_element(sorted, nth);
    return *nth;
  }
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < bins_.size(); ++i) {
    before += bins_[i];
    if (before < number) continue;
    const double top = std::exp2(static_cast<double>(first_bin_ + static_cast<int>(i) + 1) / bins_per_octave);
    return std::clamp(top, least_, greatest_);
  }
  return greatest_;
}

}  // namespace rehearse::statistics
