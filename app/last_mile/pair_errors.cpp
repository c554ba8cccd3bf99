// SPDX-License-Identifier: MIT
//
// See pair_errors.hpp.
#include "app/last_mile/pair_errors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rehearse::app {
namespace {

constexpr double unknown_prediction = std::numeric_limits<double>::quiet_NaN();

struct MeanOfLogarithms {
  double sum = 0;
  std::size_t count = 0;
  void add(double value) {
    sum += std::log(value);
    ++count;
  }
  double mean() const { return count == 0 ? unknown_prediction : sum / static_cast<double>(count); }
};

// The cases of one model that `counts` selects.
ErrorFigures selected_figures(const std::string& name, const std::vector<PairValue>& pairs,
                              const std::vector<double>& predictions, const std::vector<char>& counts) {
  std::vector<PredictedCase> cases;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (counts[i]) cases.push_back({predictions[i], pairs[i].value});
  return figures_of(name, cases);
}

}  // namespace

PairModel means_of_hosts(std::size_t hosts, bool by_direction) {
  return {"means of hosts", [hosts, by_direction](const std::vector<PairValue>& pairs) -> PairPredictor {
            std::vector<MeanOfLogarithms> from(hosts), to(hosts);
            for (const PairValue& pair : pairs) {
              from[pair.from].add(pair.value);
              to[pair.to].add(pair.value);
              if (by_direction) continue;
              from[pair.to].add(pair.value);
              to[pair.from].add(pair.value);
            }
            return
                [from, to](std::uint32_t i, std::uint32_t j) { return std::exp((from[i].mean() + to[j].mean()) / 2); };
          }};
}

PairModel one_value() {
  return {"one value", [](const std::vector<PairValue>& pairs) -> PairPredictor {
            std::vector<double> values;
            for (const PairValue& pair : pairs) values.push_back(pair.value);
            const double median = values.empty() ? unknown_prediction : quantile(values, 0.5);
            return [median](std::uint32_t, std::uint32_t) { return median; };
          }};
}

PairErrors errors_of(const std::vector<PairModel>& models, const std::vector<PairValue>& pairs, std::uint32_t folds) {
  PairErrors result;
  const std::vector<std::uint32_t> part = parts_of_pairs(pairs, folds);
  std::vector<std::vector<double>> fitted(models.size());
  result.predictions.assign(models.size(), std::vector<double>(pairs.size(), unknown_prediction));
  for (std::size_t m = 0; m < models.size(); ++m) {
    const PairPredictor of_all = models[m].fit(pairs);
    for (const PairValue& pair : pairs) fitted[m].push_back(of_all(pair.from, pair.to));
    for (std::uint32_t fold = 0; fold < folds; ++fold) {
      std::vector<PairValue> others;
      for (std::size_t i = 0; i < pairs.size(); ++i)
        if (part[i] != fold) others.push_back(pairs[i]);
      if (others.size() == pairs.size()) continue;
      const PairPredictor of_others = models[m].fit(others);
      for (std::size_t i = 0; i < pairs.size(); ++i)
        if (part[i] == fold) result.predictions[m][i] = of_others(pairs[i].from, pairs[i].to);
    }
  }
  std::vector<char> counts(pairs.size(), 1);
  for (const std::vector<double>& predictions : result.predictions)
    for (std::size_t i = 0; i < pairs.size(); ++i)
      if (std::isnan(predictions[i])) counts[i] = 0;
  result.unpredicted = static_cast<std::size_t>(std::ranges::count(counts, 0));
  const std::vector<char> all(pairs.size(), 1);
  for (std::size_t m = 0; m < models.size(); ++m) {
    result.fitted.push_back(selected_figures(models[m].name, pairs, fitted[m], all));
    result.left_out.push_back(selected_figures(models[m].name, pairs, result.predictions[m], counts));
  }
  return result;
}

}  // namespace rehearse::app
