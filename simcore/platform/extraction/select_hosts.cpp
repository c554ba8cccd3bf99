// SPDX-License-Identifier: MIT
//
// Selects hosts by name, number and latency.
#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "simcore/platform/extraction/speed_search.hpp"
#include "simcore/platform/generator/number_text.hpp"
#include "simcore/platform_extraction.hpp"
#include "simcore/support/format.hpp"

namespace rehearse {

namespace {

constexpr std::size_t latency_hosts_max = 4096;  // a table of all pairs
constexpr std::size_t centres_max = 64;

std::vector<HostId> all_hosts(const Platform& platform) {
  std::vector<HostId> hosts(platform.hosts().size());
  for (std::uint32_t i = 0; i < hosts.size(); ++i) hosts[i] = {i};
  return hosts;
}

// The greater latency of both directions; infinite if they are not connected.
class LatencyTable {
 public:
  explicit LatencyTable(const Platform& platform) : hosts_(platform.hosts().size()), pairs_(hosts_ * hosts_) {
    constexpr double never = std::numeric_limits<double>::infinity();
    Route route;
    for (std::uint32_t a = 0; a < hosts_; ++a)
      for (std::uint32_t b = 0; b < hosts_; ++b) {
        const double seconds = a == b ? 0 : platform.find_route({a}, {b}, route) ? route.latency_seconds : never;
        pairs_[a * hosts_ + b] = std::max(pairs_[a * hosts_ + b], seconds);
        pairs_[b * hosts_ + a] = std::max(pairs_[b * hosts_ + a], seconds);
      }
  }

  std::size_t hosts() const { return hosts_; }
  double between(std::size_t a, std::size_t b) const { return pairs_[a * hosts_ + b]; }

 private:
  std::size_t hosts_;
  std::vector<double> pairs_;
};

// The hosts near the centre, nearest first, that are near all hosts taken before.
std::vector<HostId> take_around(const LatencyTable& table, std::size_t centre, double diameter, std::size_t wanted) {
  std::vector<std::uint32_t> near;
  for (std::uint32_t i = 0; i < table.hosts(); ++i)
    if (table.between(centre, i) <= diameter) near.push_back(i);
  std::ranges::stable_sort(near, {}, [&](std::uint32_t i) { return table.between(centre, i); });
  std::vector<HostId> taken;
  for (const std::uint32_t i : near) {
    if (taken.size() == wanted) break;
    if (std::ranges::all_of(taken, [&](HostId host) { return table.between(host.value, i) <= diameter; }))
      taken.push_back({i});
  }
  std::ranges::sort(taken);
  return taken;
}

Result<std::vector<HostId>> select_near(const Platform& platform, const HostSelection& selection) {
  const std::size_t count = platform.hosts().size();
  if (count > latency_hosts_max)
    return Error{fmt::format("a diameter on a platform of {} hosts; accepted: up to {} hosts, for example those that "
                             "an extraction by number leaves",
                             count, latency_hosts_max)};
  const LatencyTable table(platform);
  const std::size_t wanted = selection.hosts.value_or(std::numeric_limits<std::uint32_t>::max());
  const std::size_t centres = std::min(count, centres_max);
  std::vector<HostId> best;
  for (std::size_t i = 0; i < centres && best.size() < wanted; ++i) {
    std::vector<HostId> taken = take_around(table, i * count / centres, *selection.diameter_seconds, wanted);
    if (taken.size() > best.size()) best = std::move(taken);
  }
  if (!selection.hosts || best.size() == wanted) return best;
  return Error{fmt::format("no {} hosts within {} s of each other found; the largest set that was found has {}", wanted,
                           platform::number_text(*selection.diameter_seconds), best.size())};
}

Result<std::vector<HostId>> select_named(const Platform& platform, const std::vector<std::string>& names) {
  std::set<HostId> hosts;
  for (const std::string& name : names) {
    const auto host = platform.find_host(name);
    if (!host)
      return Error{fmt::format("'{}' is not a host of the platform ({} hosts, the first: '{}')", name,
                               platform.hosts().size(), platform.hosts().front().name)};
    if (!hosts.insert(*host).second) return Error{"'" + name + "' given twice; accepted: different hosts"};
  }
  return std::vector<HostId>(hosts.begin(), hosts.end());
}

}  // namespace

Result<std::vector<HostId>> select_hosts(const Platform& platform, const HostSelection& selection) {
  const std::size_t count = platform.hosts().size();
  if (!selection.names.empty()) return select_named(platform, selection.names);
  if (selection.hosts && (*selection.hosts == 0 || *selection.hosts > count))
    return Error{fmt::format("hosts: {} given; accepted: 1 to {}, the hosts of the platform", *selection.hosts, count)};
  const bool has_moments = selection.mean_speed || selection.speed_deviation;
  if (has_moments && selection.diameter_seconds)
    return Error{"a diameter and moments of speed are not supported together; accepted: one after the other"};
  if (has_moments && !selection.hosts) return Error{"moments of speed need a number of hosts"};
  if (selection.mean_speed && !(*selection.mean_speed > 0)) return Error{"mean speed 0; accepted: greater than 0"};
  if (selection.diameter_seconds) return select_near(platform, selection);
  if (has_moments) return platform::select_by_speed(platform, selection);
  if (!selection.hosts) return all_hosts(platform);
  SplitMix random(selection.seed);
  return platform::draw_hosts(count, *selection.hosts, random);
}

}  // namespace rehearse
