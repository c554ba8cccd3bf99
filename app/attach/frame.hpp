// SPDX-License-Identifier: MIT
//
// Ethernet frames of real programs: the parts of their headers that the network model needs.
//
// Source: RFC 791 (IPv4), RFC 3168 (ECN), RFC 1624 (incremental checksums), IEEE 802.3.
// Units:  bytes; addresses in the byte order of the machine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace rehearse::app {

using MacAddress = std::array<std::uint8_t, 6>;

inline constexpr std::size_t ethernet_header_bytes = 14;

struct FrameFacts {
  std::uint32_t source = 0;  // addresses
  std::uint32_t destination = 0;
  std::uint64_t flow = 0;      // equal for the packets of one connection: addresses, protocol, ports
  bool accepts_marks = false;  // its sender reacts to ECN
};

// No value: not IPv4, or shorter than its own header says.
std::optional<FrameFacts> read_frame(std::span<const std::uint8_t> frame);

// Requires a frame that read_frame() accepts. Sets CE, and corrects the checksum. False: its sender accepts no marks.
bool mark_congestion(std::span<std::uint8_t> frame);

void set_destination(std::span<std::uint8_t> frame, const MacAddress& address);

}  // namespace rehearse::app
