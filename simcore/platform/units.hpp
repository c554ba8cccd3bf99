// SPDX-License-Identifier: MIT
//
// Quantities in platform files: a number and a unit.
//
// Units: time w d h m s ms us ns ps; speed f or flops with k M G T P E Z Y or kilo mega giga tera peta
//        exa zeta yotta; bandwidth Bps or bps (an eighth) with k M G T P E Z Y (1000) or Ki Mi Gi Ti Pi
//        Ei Zi Yi (1024). A number without unit is in seconds, flops, or bytes per second.
// Errors: the given text and the accepted units; the caller adds the place.
#pragma once

#include <string>
#include <string_view>

#include "simcore/support/result.hpp"

namespace rehearse::platform {

Result<double> parse_seconds(std::string_view text);
Result<double> parse_flops_per_second(std::string_view text);
Result<double> parse_bytes_per_second(std::string_view text);

}  // namespace rehearse::platform
