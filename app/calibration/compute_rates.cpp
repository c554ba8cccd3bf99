// SPDX-License-Identifier: MIT
//
// See compute_rates.hpp.
#include "app/calibration/compute_rates.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace rehearse::app {

std::vector<ComputeRate> compute_rates(const Measurements& all, Statistic statistic) {
  constexpr std::string_view prefix = "compute:";
  std::set<std::string> tests;
  for (const auto& [measured, seconds] : all.seconds)
    if (measured.test.starts_with(prefix)) tests.insert(measured.test);
  std::vector<ComputeRate> rates;
  for (const std::string& test : tests) {
    const std::vector<SizePoint> points = size_points(all, test, statistic);
    if (points.empty() || points.front().seconds <= 0) continue;
    const std::string name = test.substr(prefix.size());
    const std::size_t colon = name.find(':');
    rates.push_back({name.substr(0, colon), colon == std::string::npos ? "" : name.substr(colon + 1),
                     points.front().bytes / points.front().seconds, points.front().quartile_spread});
  }
  return rates;
}

std::string unit_of(const std::string& kernel) {
  if (kernel == "triad") return "byte/s";
  return kernel == "sort" ? "key/s" : "flop/s";
}

std::vector<ComputeScale> compute_scales(const std::vector<ComputeRate>& there, const std::vector<ComputeRate>& here) {
  std::vector<ComputeScale> scales;
  double logarithms = 0;
  for (const ComputeRate& mine : here) {
    const auto same = std::ranges::find(there, mine.kernel, &ComputeRate::kernel);
    const bool is_known = std::ranges::find(scales, mine.kernel, &ComputeScale::kernel) != scales.end();
    if (same == there.end() || is_known) continue;
    scales.push_back({mine.kernel, mine.rate / same->rate});
    logarithms += std::log(scales.back().scale);
  }
  if (!scales.empty()) scales.push_back({"mean", std::exp(logarithms / static_cast<double>(scales.size()))});
  return scales;
}

}  // namespace rehearse::app
