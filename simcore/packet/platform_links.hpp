// SPDX-License-Identifier: MIT
//
// The parameters that the links of a platform have for packets.
//
// Errors: the platform, the link, and the accepted values: WIFI links, limits of flows, the property `packet`.
#pragma once

#include <string_view>
#include <vector>

#include "simcore/packet/parameters.hpp"
#include "simcore/platform.hpp"

namespace rehearse::packet {

struct PlatformLinks {
  std::vector<LinkParameters> own;  // by link; empty: none has any
  bool has_profiles = false;        // of bandwidths or latencies
};

// `model`: the name of the network model, for errors.
Result<PlatformLinks> read_links(const Platform& platform, const Parameters& parameters, std::string_view model);

}  // namespace rehearse::packet
