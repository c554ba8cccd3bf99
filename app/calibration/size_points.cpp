// SPDX-License-Identifier: MIT
//
// See size_points.hpp.
#include "app/calibration/size_points.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace rehearse::app {
namespace {

constexpr double normal_consistency = 1.4826;  // of the median absolute deviation
constexpr double outlying_deviations = 5;

SizePoint summary_of(std::uint64_t bytes, const std::vector<double>& values, Statistic statistic) {
  SizePoint point{static_cast<double>(bytes), 0, 0, static_cast<std::uint32_t>(values.size()), 0};
  const double part = statistic == Statistic::minimum ? 0 : statistic == Statistic::p10 ? 0.1 : 0.5;
  point.seconds = quantile(values, part);
  const double median = quantile(values, 0.5);
  if (median > 0) point.quartile_spread = (quantile(values, 0.75) - quantile(values, 0.25)) / median;
  std::vector<double> deviations;
  for (const double value : values) deviations.push_back(std::abs(value - median));
  const double scale = normal_consistency * quantile(deviations, 0.5);
  for (const double deviation : deviations)
    if (scale > 0 && deviation > outlying_deviations * scale) ++point.outliers;
  return point;
}

}  // namespace

std::optional<Statistic> parse_statistic(const std::string& name) {
  for (const Statistic each : {Statistic::minimum, Statistic::p10, Statistic::median})
    if (name == name_of(each)) return each;
  return std::nullopt;
}

std::string name_of(Statistic statistic) {
  switch (statistic) {
    case Statistic::minimum: return "minimum";
    case Statistic::p10: return "p10";
    case Statistic::median: break;
  }
  return "median";
}

double quantile(std::vector<double> values, double part) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double at = part * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  if (below + 1 >= values.size()) return values.back();
  return values[below] + (at - static_cast<double>(below)) * (values[below + 1] - values[below]);
}

std::vector<SizePoint> size_points(const Measurements& all, const std::string& test, Statistic statistic,
                                   std::uint32_t ranks) {
  std::map<std::uint64_t, std::vector<double>> by_size;
  for (auto each = all.seconds.lower_bound({test, 0, 0}); each != all.seconds.end() && each->first.test == test; ++each)
    if (ranks == 0 || each->first.ranks == ranks) {
      std::vector<double>& values = by_size[each->first.bytes];
      values.insert(values.end(), each->second.begin(), each->second.end());
    }
  std::vector<SizePoint> points;
  for (const auto& [bytes, values] : by_size) points.push_back(summary_of(bytes, values, statistic));
  return points;
}

std::vector<std::uint32_t> ranks_of(const Measurements& all, const std::string& test) {
  std::set<std::uint32_t> numbers;
  for (auto each = all.seconds.lower_bound({test, 0, 0}); each != all.seconds.end() && each->first.test == test; ++each)
    numbers.insert(each->first.ranks);
  return {numbers.begin(), numbers.end()};
}

}  // namespace rehearse::app
