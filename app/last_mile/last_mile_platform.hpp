// SPDX-License-Identifier: MIT
//
// The platform file of a last-mile fit: a star in which each host has an up link and a down link.
//
// Size:    four lines for each host, and no list of routes.
// Values:  those of the measured transfers, so the network model has no factors and no other limits. A value that was
//          not measured has no effect: no latency, and a bandwidth above all others.
// Properties: a host has the property rehearse/up, rehearse/down or rehearse/latency with the reason if its value is
// not
//          one that the measurements determine.
#pragma once

#include <string>

#include "app/last_mile/last_mile_parts.hpp"

namespace rehearse::app {

inline constexpr double unmeasured_bandwidth = 1e15;  // bytes per second

std::string last_mile_platform(const LastMileParts& parts);

}  // namespace rehearse::app
