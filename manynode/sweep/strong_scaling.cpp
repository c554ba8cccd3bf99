// SPDX-License-Identifier: MIT
//
// See strong_scaling.hpp.
#include "manynode/strong_scaling.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "simcore/support/format.hpp"

namespace rehearse::manynode {
namespace {

// Positive values by a power, others in a straight line. Part 0 is the first, 1 the second.
double between(double first, double second, double part) {
  if (first > 0 && second > 0) return std::exp((1 - part) * std::log(first) + part * std::log(second));
  return std::max(0.0, (1 - part) * first + part * second);
}

Result<BinnedDistribution> between(const BinnedDistribution& first, const BinnedDistribution& second, double part) {
  std::set<double> probabilities;
  for (const auto* each : {&first, &second})
    for (const QuantilePoint& point : each->points()) probabilities.insert(point.probability);
  std::vector<QuantilePoint> points;
  for (const double probability : probabilities) {
    const double u = std::clamp(probability, 1e-12, 1 - 1e-12);
    double value = between(first.quantile(u, TailUse::measured), second.quantile(u, TailUse::measured), part);
    if (!points.empty()) value = std::max(value, points.back().value);
    points.push_back({probability, value});
  }
  std::optional<ParetoTail> tail;
  if (first.tail() && second.tail()) {
    tail = *first.tail();
    tail->from = between(first.tail()->from, second.tail()->from, part);
    tail->scale = between(first.tail()->scale, second.tail()->scale, part);
    tail->shape = std::clamp((1 - part) * first.tail()->shape + part * second.tail()->shape, -0.5, 0.5);
  }
  return BinnedDistribution::from_points(std::move(points), tail, std::min(first.samples(), second.samples()),
                                         between(first.mean(), second.mean(), part),
                                         between(first.deviation(), second.deviation(), part));
}

Result<void> interpolate(MarkerProfile& marker, const MarkerProfile& first, const MarkerProfile& second, double part) {
  if (first.modes.size() != second.modes.size() || first.law || second.law)
    return Error{fmt::format("marker '{}' of cluster {} has {} modes in one profile and {} in another one; accepted: "
                             "profiles with the same modes",
                             marker.id, marker.cluster, first.modes.size(), second.modes.size())};
  for (std::size_t i = 0; i < marker.modes.size(); ++i) {
    auto distribution = between(first.modes[i].distribution, second.modes[i].distribution, part);
    if (!distribution) return distribution.error();
    marker.modes[i].distribution = std::move(distribution.value());
    marker.modes[i].weight = std::clamp((1 - part) * first.modes[i].weight + part * second.modes[i].weight, 0.0, 1.0);
    if (!first.modes[i].residuals || !second.modes[i].residuals) continue;
    auto residuals = between(*first.modes[i].residuals, *second.modes[i].residuals, part);
    if (!residuals) return residuals.error();
    marker.modes[i].residuals = std::move(residuals.value());
  }
  return {};
}

}  // namespace

Result<Profile> interpolated(std::span<const Profile> profiles, std::uint32_t ranks, bool extrapolates) {
  if (profiles.size() < 2)
    return Error{"strong scaling needs profiles of the same problem on at least two numbers of ranks"};
  std::vector<const Profile*> sorted;
  for (const Profile& each : profiles) sorted.push_back(&each);
  std::ranges::sort(sorted, {}, &Profile::ranks);
  const std::uint32_t least = sorted.front()->ranks, most = sorted.back()->ranks;
  if ((ranks < least || ranks > most) && !extrapolates)
    return Error{
        fmt::format("strong scaling: {} ranks are outside of the profiles, which have {} to {}; accepted: such "
                    "numbers, or --extrapolate",
                    ranks, least, most)};
  std::size_t upper = 1;
  while (upper + 1 < sorted.size() && sorted[upper]->ranks < ranks) ++upper;
  const Profile &first = *sorted[upper - 1], &second = *sorted[upper];
  if (first.ranks == second.ranks) return Error{fmt::format("strong scaling: two profiles have {} ranks", first.ranks)};
  const double part = std::log(static_cast<double>(ranks) / first.ranks) /
                      std::log(static_cast<double>(second.ranks) / first.ranks);
  Profile profile = part < 0.5 ? first : second;
  for (MarkerProfile& marker : profile.markers) {
    const MarkerProfile* one = first.find_marker(marker.id, marker.cluster);
    const MarkerProfile* other = second.find_marker(marker.id, marker.cluster);
    if (one == nullptr || other == nullptr)
      return Error{fmt::format("strong scaling: marker '{}' of cluster {} is only in one of the profiles of {} and {} "
                               "ranks",
                               marker.id, marker.cluster, first.ranks, second.ranks)};
    if (auto done = interpolate(marker, *one, *other, part); !done) return done.error();
    marker.scaling.reset();
  }
  return profile;
}

}  // namespace rehearse::manynode
