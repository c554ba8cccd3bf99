// SPDX-License-Identifier: MIT
//
// Modes of measured times: valleys of a kernel estimate of the density of log t, at 1,024 places.
//
// A valley separates two modes if it is below 0.6 of the lower of the two peaks, if each side has 1 % of the samples,
// and if the peak stands out of it by three standard deviations: kernel sums count samples, so their difference has the
// variance of their sum. Without the last condition a long tail has modes by chance.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "manynode/analysis.hpp"

namespace rehearse::manynode {
namespace {

constexpr std::size_t places = 1024;
constexpr double deepest = 0.6, least_weight = 0.01, least_deviations = 3;
constexpr double least_time = 1e-12;           // seconds; the logarithm of shorter ones is that of this
constexpr double constant_deviation = 1e-9;    // of log t
constexpr std::size_t exact_samples = 20'000;  // more are counted in cells first
constexpr std::size_t cells = 1 << 15;

struct DensityCurve {
  std::vector<double> grid, sums;  // sums of kernels, in samples
};

struct WeightedPlace {
  double place = 0, weight = 0;
};

// The samples, or the cells that they fall into.
std::vector<WeightedPlace> places_of(std::span<const double> ascending) {
  std::vector<WeightedPlace> all;
  if (ascending.size() <= exact_samples) {
    for (const double each : ascending) all.push_back({each, 1});
    return all;
  }
  const double width = (ascending.back() - ascending.front()) / cells;
  for (const double each : ascending) {
    const double cell = std::min(std::floor((each - ascending.front()) / width), cells - 1.0);
    const double place = ascending.front() + (cell + 0.5) * width;
    if (all.empty() || all.back().place != place) all.push_back({place, 0});
    all.back().weight += 1;
  }
  return all;
}

DensityCurve density_of(std::span<const double> ascending, double width) {
  const std::vector<WeightedPlace> samples = places_of(ascending);
  const double low = ascending.front() - 3 * width, span = ascending.back() - ascending.front() + 6 * width;
  DensityCurve curve;
  std::size_t begin = 0, end = 0;
  for (std::size_t i = 0; i < places; ++i) {
    const double at = low + static_cast<double>(i) * span / (places - 1);
    while (begin < samples.size() && samples[begin].place < at - 4 * width) ++begin;
    while (end < samples.size() && samples[end].place <= at + 4 * width) ++end;
    double sum = 0;
    for (std::size_t k = begin; k < end; ++k) {
      const double distance = (at - samples[k].place) / width;
      sum += samples[k].weight * std::exp(-0.5 * distance * distance);
    }
    curve.grid.push_back(at);
    curve.sums.push_back(sum);
  }
  return curve;
}

// Removes peaks, the least distinct one first, until all that remain are modes.
class PeakSelection {
 public:
  PeakSelection(std::span<const double> ascending, const DensityCurve& curve, double share)
      : ascending_(ascending), curve_(curve), share_(share) {
    for (std::size_t i = 1; i + 1 < places; ++i) {
      if (curve.sums[i] >= curve.sums[i - 1] && curve.sums[i] > curve.sums[i + 1]) peaks_.push_back(i);
    }
  }

  std::vector<double> bounds() {
    while (peaks_.size() > 1) {
      find_valleys();
      double worst = 0;
      std::size_t which = peaks_.size();
      for (std::size_t k = 0; k < valleys_.size(); ++k) {
        const auto [ratio, peak] = indistinctness(k);
        if (ratio > std::max(deepest, worst)) {
          worst = ratio;
          which = peak;
        }
      }
      if (which == peaks_.size()) {
        std::vector<double> bounds;
        for (const std::size_t each : valleys_) bounds.push_back(std::exp(curve_.grid[each]));
        return bounds;
      }
      peaks_.erase(peaks_.begin() + static_cast<std::ptrdiff_t>(which));
    }
    return {};
  }

 private:
  struct WorstPeak {
    double ratio = 0;
    std::size_t peak = 0;
  };

  void find_valleys() {
    valleys_.clear();
    weights_.clear();
    double before = 0;
    const double n = static_cast<double>(ascending_.size());
    for (std::size_t k = 0; k + 1 < peaks_.size(); ++k) {
      std::size_t least = peaks_[k];
      for (std::size_t i = peaks_[k]; i < peaks_[k + 1]; ++i) {
        if (curve_.sums[i] < curve_.sums[least]) least = i;
      }
      valleys_.push_back(least);
      const auto below = std::ranges::upper_bound(ascending_, curve_.grid[least]) - ascending_.begin();
      weights_.push_back((static_cast<double>(below) - before) / n);
      before = static_cast<double>(below);
    }
    weights_.push_back((n - before) / n);
  }

  // How little the two peaks beside a valley are two, and the one to remove. Up to 0.6: they are two.
  WorstPeak indistinctness(std::size_t k) const {
    const double left = curve_.sums[peaks_[k]], right = curve_.sums[peaks_[k + 1]], valley = curve_.sums[valleys_[k]];
    if (weights_[k] < least_weight || weights_[k + 1] < least_weight) {
      return {2, weights_[k] < weights_[k + 1] ? k : k + 1};
    }
    const std::size_t lower = left <= right ? k : k + 1;
    const double peak = std::min(left, right);
    const bool is_chance = share_ * (peak - valley) < least_deviations * std::sqrt(share_ * (peak + valley));
    return {is_chance ? std::max(valley / peak, 1.5) : valley / peak, lower};
  }

  std::span<const double> ascending_;
  const DensityCurve& curve_;
  double share_;  // independent samples for each sample
  std::vector<std::size_t> peaks_, valleys_;
  std::vector<double> weights_;  // of the parts between valleys
};

}  // namespace

std::vector<double> mode_bounds(std::span<const double> samples, double independent) {
  std::vector<double> logs;
  for (const double each : samples) logs.push_back(std::log(std::max(each, least_time)));
  std::ranges::sort(logs);
  const double n = static_cast<double>(logs.size());
  if (logs.empty()) return {};
  const double mean = std::accumulate(logs.begin(), logs.end(), 0.0) / n;
  double squares = 0;
  for (const double each : logs) squares += (each - mean) * (each - mean);
  const double deviation = std::sqrt(squares / n);
  if (deviation < constant_deviation) return {};
  const double quartiles = (logs[3 * logs.size() / 4] - logs[logs.size() / 4]) / 1.34;
  const double least_spread = std::min(deviation, quartiles);
  const double spread = least_spread > 0 ? least_spread : deviation;
  // Half of Silverman's width: his smooths modes away.
  const double width = std::max(0.9 * spread * std::pow(n, -0.2), 1e-6 * (logs.back() - logs.front())) / 2;
  const DensityCurve curve = density_of(logs, width);
  return PeakSelection(logs, curve, std::min(independent / n, 1.0)).bounds();
}

std::uint32_t mode_label(std::span<const double> bounds, double sample) {
  return static_cast<std::uint32_t>(std::ranges::lower_bound(bounds, sample) - bounds.begin());
}

}  // namespace rehearse::manynode
