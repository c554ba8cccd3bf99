// SPDX-License-Identifier: MIT
//
// Hosts with a slower (or faster) network than their platform gives them: changes of the links that a host has for
// itself.
//
// Meaning: a host's own links are the first links of its routes and the last links of the routes to it, as far as no
//          route between two other hosts crosses them. The routes between up to 256 other hosts are compared; on a
//          larger platform those between the 128 hosts with the shortest routes to the host (of equal ones, those with
//          the nearest numbers) and 128 hosts at equal distances of numbers.
// Text:    HOST=KEY:VALUE,... with the keys `bandwidth` (a factor) and `latency` (a factor, or +TIME; a time is in
//          seconds or has a unit such as ms).
// Errors:  the value, or the platform and the host, and what is accepted.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "simcore/platform.hpp"
#include "simcore/support/result.hpp"

namespace rehearse {

struct SlowHost {
  std::string name;
  double bandwidth_factor = 1;
  double latency_factor = 1;
  double more_latency_seconds = 0;
};

Result<SlowHost> parse_slow_host(const std::string& text);

// In the order of the platform. Empty: it has none.
std::vector<LinkId> own_links(const Platform& platform, HostId host);

// A host that is named several times has all its changes.
Result<Platform> slow_down(Platform platform, std::span<const SlowHost> hosts);

}  // namespace rehearse
