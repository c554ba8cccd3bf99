// SPDX-License-Identifier: MIT
//
// Compares an extracted platform with that which it comes from.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "simcore/platform.hpp"

namespace rehearse::platform {

// The first difference in attributes, profiles or routes of these hosts and of their links; or nothing. Routes must
// have the same links, and different links must stay different.
std::optional<std::string> first_difference(const Platform& whole, std::span<const HostId> hosts,
                                            const Platform& extracted);

}  // namespace rehearse::platform
