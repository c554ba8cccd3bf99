// SPDX-License-Identifier: MIT
//
// See pair_values.hpp.
#include "app/last_mile/pair_values.hpp"

#include <algorithm>

#include "simcore/support/random.hpp"

namespace rehearse::app {

std::vector<PairValue> pair_values(const PairSamples& samples, PairQuantity quantity, Statistic statistic) {
  const double part = statistic == Statistic::minimum ? 0 : statistic == Statistic::p10 ? 0.1 : 0.5;
  std::vector<PairValue> values;
  values.reserve(samples.size());
  for (const auto& [pair, repetitions] : samples)
    values.push_back({pair.first, pair.second,
                      quantile(repetitions, quantity == PairQuantity::latency ? part : 1 - part),
                      static_cast<std::uint32_t>(repetitions.size())});
  return values;
}

std::vector<std::uint32_t> parts_of_pairs(const std::vector<PairValue>& pairs, std::uint32_t parts) {
  std::vector<HostPair> both_ways;
  for (const PairValue& pair : pairs) both_ways.emplace_back(std::minmax(pair.from, pair.to));
  std::sort(both_ways.begin(), both_ways.end());
  both_ways.erase(std::unique(both_ways.begin(), both_ways.end()), both_ways.end());
  std::vector<std::uint32_t> order(both_ways.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  constexpr std::uint64_t seed = 1;
  SplitMix random(seed);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  std::vector<std::uint32_t> result;
  for (const PairValue& pair : pairs) {
    const auto at = std::lower_bound(both_ways.begin(), both_ways.end(), HostPair(std::minmax(pair.from, pair.to)));
    result.push_back(order[static_cast<std::size_t>(at - both_ways.begin())] % parts);
  }
  return result;
}

}  // namespace rehearse::app
