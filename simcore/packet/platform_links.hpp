// SPDX-License-Identifier: MIT
//
// The parameters that the links of a platform have for packets, and the losses that the user gives to some of them.
//
// Errors: the platform, the link, and the accepted values: WIFI links, limits of flows, the property `packet`; losses
// of
//         unknown hosts, or of a regular expression that matches no link.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "simcore/packet/losses.hpp"
#include "simcore/packet/parameters.hpp"
#include "simcore/packet_loss.hpp"
#include "simcore/platform.hpp"

namespace rehearse::packet {

struct PairRule {
  HostId source, destination;
  LossRule rule;
};

struct PlatformLinks {
  std::vector<LinkParameters> own;  // by link; empty: none has any
  std::vector<PairRule> pairs;      // losses between hosts
  bool has_profiles = false;        // of bandwidths or latencies
};

// `model`: the name of the network model, for errors.
Result<PlatformLinks> read_links(const Platform& platform, const Parameters& parameters, std::string_view model);

// Adds these losses to those that the links have.
Result<void> add_losses(std::span<const PacketLoss> losses, const Platform& platform, PlatformLinks& links);

}  // namespace rehearse::packet
