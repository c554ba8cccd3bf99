// SPDX-License-Identifier: MIT
//
// See marker_analysis.hpp.
#include "manynode/profile/marker_analysis.hpp"

#include <algorithm>
#include <cmath>

namespace rehearse::manynode {
namespace {

constexpr double shortest_time = 1e-12;
constexpr double constant_spread = 1e-9;  // relative
constexpr double drift_probability = 0.001;
constexpr std::size_t least_drifting = 30;  // executions of a rank

class MarkerAnalysis {
 public:
  MarkerAnalysis(const std::vector<const Series*>& series, const AnalysisOptions& options)
      : series_(series), options_(options) {
    shared_ = series.front()->executions.size();
    for (const Series* each : series) {
      shared_ = std::min(shared_, each->executions.size());
      for (const Execution& execution : each->executions) all_.push_back(execution.seconds);
    }
  }

  MarkerProfile run() {
    const auto [least, greatest] = std::ranges::minmax_element(all_);
    profile_.samples = all_.size();
    if (*greatest <= *least * (1 + constant_spread)) {
      profile_.order.kind = ModeOrder::Kind::constant;
      profile_.modes.push_back(mode_of(all_, 0));
      return std::move(profile_);
    }
    independent_ = independent_samples();
    bounds_ = mode_bounds(all_, independent_ * static_cast<double>(all_.size()));
    find_modes();
    profile_.order = find_order(labels_, static_cast<std::uint32_t>(profile_.modes.size()));
    find_effects();
    find_drift();
    return std::move(profile_);
  }

 private:
  double log_time(std::size_t rank, std::size_t i) const {
    return std::log(std::max(series_[rank]->executions[i].seconds, shortest_time));
  }

  bool has_table() const { return series_.size() >= 2 && shared_ >= 2; }

  // Independent samples for each sample: those of one rank, or of one iteration, are alike if these have effects.
  double independent_samples() const {
    if (!has_table()) return 1;
    std::vector<std::vector<double>> table(series_.size());
    for (std::size_t r = 0; r < series_.size(); ++r) {
      for (std::size_t i = 0; i < shared_; ++i) table[r].push_back(log_time(r, i));
    }
    const CommonEffects effects = effects_of(table);
    const double rank = effects.rank_sd * effects.rank_sd, iteration = effects.iteration_sd * effects.iteration_sd;
    const double sum = rank + iteration + effects.residual_sd * effects.residual_sd;
    if (!(sum > 0)) return 1;
    return 1 / (1 + static_cast<double>(series_.size() - 1) * iteration / sum +
                static_cast<double>(shared_ - 1) * rank / sum);
  }

  ModeProfile mode_of(std::vector<double> samples, std::size_t number) const {
    ModeProfile mode;
    mode.weight = static_cast<double>(samples.size()) / static_cast<double>(all_.size());
    mode.distribution = BinnedDistribution(samples);
    if (mode.distribution.tail()) {
      std::ranges::sort(samples);
      mode.resampled = resampled_tails(samples, options_.resamples, options_.seed + number);
    }
    return mode;
  }

  // Bounds without samples between them do not occur: each mode has 1 % of the samples.
  void find_modes() {
    std::vector<std::vector<double>> parts(bounds_.size() + 1);
    for (const Series* each : series_) {
      std::vector<std::uint32_t>& labels = labels_.emplace_back();
      for (const Execution& execution : each->executions) {
        labels.push_back(mode_label(bounds_, execution.seconds));
        parts[labels.back()].push_back(execution.seconds);
      }
    }
    for (std::size_t k = 0; k < parts.size(); ++k) profile_.modes.push_back(mode_of(std::move(parts[k]), k));
  }

  void find_effects() {
    if (!has_table()) return;
    std::vector<double> sums(profile_.modes.size()), counts(profile_.modes.size());
    for (std::size_t r = 0; r < series_.size(); ++r) {
      for (std::size_t i = 0; i < shared_; ++i) {
        sums[labels_[r][i]] += log_time(r, i);
        counts[labels_[r][i]] += 1;
      }
    }
    std::vector<std::vector<double>> table(series_.size());
    for (std::size_t r = 0; r < series_.size(); ++r) {
      for (std::size_t i = 0; i < shared_; ++i) {
        const std::uint32_t label = labels_[r][i];
        table[r].push_back(log_time(r, i) - sums[label] / counts[label]);
      }
    }
    // Of one mode, the mean stays in: the table is that of log t up to a constant.
    profile_.effects = effects_of(table);
    if (profile_.effects->are_significant) find_residuals(table);
  }

  // The times without common effects, with the spread that they have about the true effects (that about the estimated
  // ones is smaller), and with the mean that draws must have.
  void find_residuals(const std::vector<std::vector<double>>& table) {
    const double p = static_cast<double>(table.size()), n = static_cast<double>(shared_);
    const double widened = std::sqrt(p * n / ((p - 1) * (n - 1)));
    std::vector<double> by_iteration(shared_), by_rank(table.size());
    double all = 0;
    for (std::size_t r = 0; r < table.size(); ++r) {
      for (std::size_t i = 0; i < shared_; ++i) {
        by_rank[r] += table[r][i] / n;
        by_iteration[i] += table[r][i] / p;
        all += table[r][i] / (p * n);
      }
    }
    std::vector<std::vector<double>> parts(profile_.modes.size());
    for (std::size_t r = 0; r < table.size(); ++r) {
      for (std::size_t i = 0; i < shared_; ++i) {
        parts[labels_[r][i]].push_back(std::exp(widened * (table[r][i] - by_rank[r] - by_iteration[i] + all)));
      }
    }
    const CommonEffects& effects = *profile_.effects;
    const double effects_mean =
        std::exp((effects.rank_sd * effects.rank_sd + effects.iteration_sd * effects.iteration_sd) / 2);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      if (parts[k].empty()) continue;
      double sum = 0;
      for (const double each : parts[k]) sum += each;
      const double scale = profile_.modes[k].distribution.mean() * static_cast<double>(parts[k].size()) /
                           (sum * effects_mean);
      for (double& each : parts[k]) each *= scale;
      profile_.modes[k].residuals = BinnedDistribution(std::move(parts[k]));
    }
  }

  void find_drift() {
    if (profile_.order.kind != ModeOrder::Kind::independent || shared_ < least_drifting) return;
    std::array<std::vector<double>, 3> thirds;
    std::uint64_t longest = 0;
    for (const Series* each : series_) {
      const std::size_t n = each->executions.size();
      longest = std::max<std::uint64_t>(longest, n);
      for (std::size_t i = 0; i < n; ++i)
        thirds[std::min<std::size_t>(2, 3 * i / n)].push_back(each->executions[i].seconds);
    }
    const double probability = probability_of_same(thirds[0], thirds[2], independent_);
    if (probability >= drift_probability) return;
    profile_.drift = MarkerDrift{probability, longest, {}};
    for (auto& each : thirds) profile_.drift->thirds.emplace_back(std::move(each));
  }

  const std::vector<const Series*>& series_;
  const AnalysisOptions& options_;
  std::vector<double> all_;
  std::size_t shared_ = 0;  // executions that every rank has
  double independent_ = 1;  // independent samples for each sample
  std::vector<double> bounds_;
  std::vector<std::vector<std::uint32_t>> labels_;  // by rank and execution
  MarkerProfile profile_;
};

}  // namespace

MarkerProfile analyse_marker(const std::vector<const Series*>& series, const AnalysisOptions& options) {
  return MarkerAnalysis(series, options).run();
}

}  // namespace rehearse::manynode
