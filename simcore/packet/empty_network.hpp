// SPDX-License-Identifier: MIT
//
// Times of messages on a path that carries nothing else.
//
// Units: bytes of the stream; picoseconds.
#pragma once

#include <cstdint>
#include <span>

#include "simcore/packet/fabric.hpp"
#include "simcore/packet/parameters.hpp"

namespace rehearse::packet {

// From the start of the first packet to the arrival of the last one, if no window and no handshake delays any. 0 bytes:
// one packet of headers.
Picoseconds empty_network_time(const Fabric& fabric, const Parameters& parameters, std::span<const std::uint32_t> path,
                               std::uint64_t bytes);

// From the start of a full packet to the arrival of its acknowledgement.
Picoseconds empty_round_trip(const Fabric& fabric, const Parameters& parameters, std::span<const std::uint32_t> forward,
                             std::span<const std::uint32_t> back);

// The smallest window, in whole packets, with which the slowest link of the path never waits for acknowledgements.
std::uint64_t sufficient_window(const Fabric& fabric, const Parameters& parameters,
                                std::span<const std::uint32_t> forward, std::span<const std::uint32_t> back);

}  // namespace rehearse::packet
