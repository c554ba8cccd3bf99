// SPDX-License-Identifier: MIT
//
// Subsets of the hosts of a platform, and a platform file with these hosts alone.
//
// Result:  the kept hosts with their speeds, cores, disks, properties and profiles, and for each pair of them, a host
// with
//          itself included, the same links by name, bandwidth, latency and sharing. Zones and routers are new: a flat
//          cluster or a star becomes one of its kept hosts, and so does a zone of coordinates (Vivaldi) if all hosts
//          lie in it; everything else becomes explicit routes. The text is loaded and
//          compared with the platform before it is returned.
// Not:     hosts of wifi zones, other latencies between coordinates, and settings of built-in networks are refused by
//          name.
//          Left out: properties of zones, actors on other hosts, all but the first of several equal routes (fat trees).
// Units:   seconds, flop/s of one core in the initial speed state.
// Errors:  the option, the given value and the accepted ones.
// Threads: none.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "simcore/platform.hpp"

namespace rehearse {

// What is not set restricts nothing.
struct HostSelection {
  std::vector<std::string> names;          // exactly these; excludes everything else
  std::optional<std::uint32_t> hosts;      // a number of hosts
  std::optional<double> diameter_seconds;  // greatest latency between two hosts, in both directions
  std::optional<double> mean_speed;        // as near as possible; needs `hosts`
  std::optional<double> speed_deviation;   // the standard deviation over these hosts; needs `hosts`
  std::uint64_t seed = 1;                  // of random choices; equal seeds give equal hosts
};

// In the order of the platform.
//
// hosts alone: drawn, each subset with the same probability. diameter: the largest set that a greedy search finds
// around some hosts, which need not be the largest one, or `hosts` of them. Moments: a local search by exchanges of two
// hosts from several random sets; the sum of the squared relative errors decides.
Result<std::vector<HostId>> select_hosts(const Platform& platform, const HostSelection& selection);

struct HostMoments {
  double mean_speed = 0;
  double speed_deviation = 0;
  std::optional<double> diameter_seconds;  // nothing: some hosts are not connected
};

HostMoments moments_of(const Platform& platform, std::span<const HostId> hosts);

struct ExtractedPlatform {
  std::string text;
  std::size_t zones = 0;   // clusters, stars and coordinates that stayed such
  std::size_t routes = 0;  // written explicitly
};

constexpr std::size_t extracted_hosts_max = 5000;
constexpr std::size_t extracted_crossings_max = 2'000'000;  // links of explicit routes

// `name`: the built-in platform or the file, whose settings are copied. Requires different hosts in the order of the
// platform.
Result<ExtractedPlatform> extract_platform(const std::string& name, const Platform& platform,
                                           std::span<const HostId> hosts);

}  // namespace rehearse
