// SPDX-License-Identifier: MIT
//
// Zones in which the distance of coordinates is a latency (Vivaldi).
#pragma once

#include <optional>
#include <span>
#include <string>

#include "simcore/platform.hpp"

namespace rehearse::platform {

class ResourceText;

// <zone> with these hosts alone: peers, or hosts without links. Nothing: they do not lie in one such zone, or are
// neither. That the routes are those of the zone is not checked.
std::optional<std::string> coordinate_zone_text(const Platform& platform, std::span<const HostId> hosts,
                                                const ResourceText& resources);

}  // namespace rehearse::platform
