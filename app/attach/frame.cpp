// SPDX-License-Identifier: MIT
//
// See frame.hpp.
#include "app/attach/frame.hpp"

#include <algorithm>

#include "simcore/support/random.hpp"

namespace rehearse::app {
namespace {

constexpr std::size_t type_at = 12, ip_at = ethernet_header_bytes;
constexpr std::size_t least_ip_bytes = 20;
constexpr std::uint8_t tcp_protocol = 6, udp_protocol = 17;
constexpr std::uint8_t ecn_bits = 3, congestion_experienced = 3;

std::uint32_t read_16(std::span<const std::uint8_t> bytes, std::size_t at) {
  return std::uint32_t{bytes[at]} << 8 | bytes[at + 1];
}
std::uint32_t read_32(std::span<const std::uint8_t> bytes, std::size_t at) {
  return read_16(bytes, at) << 16 | read_16(bytes, at + 2);
}

}  // namespace

std::optional<FrameFacts> read_frame(std::span<const std::uint8_t> frame) {
  constexpr std::uint32_t ipv4 = 0x0800;
  if (frame.size() < ip_at + least_ip_bytes || read_16(frame, type_at) != ipv4) return std::nullopt;
  const std::span<const std::uint8_t> packet = frame.subspan(ip_at);
  const std::size_t header = std::size_t{packet[0] & 15u} * 4;
  const std::size_t length = read_16(packet, 2);
  if (packet[0] >> 4 != 4 || header < least_ip_bytes || length < header || length > packet.size()) return std::nullopt;
  FrameFacts facts;
  facts.source = read_32(packet, 12);
  facts.destination = read_32(packet, 16);
  facts.accepts_marks = (packet[1] & ecn_bits) != 0;
  const std::uint8_t protocol = packet[9];
  const bool is_fragment = (read_16(packet, 6) & 0x3fff) != 0;
  const bool has_ports = (protocol == tcp_protocol || protocol == udp_protocol) && !is_fragment && length >= header + 4;
  SplitMix hosts(std::uint64_t{facts.source} << 32 | facts.destination);
  facts.flow = hosts.next() ^
               SplitMix(std::uint64_t{protocol} << 32 | (has_ports ? read_32(packet, header) : 0)).next();
  return facts;
}

bool mark_congestion(std::span<std::uint8_t> frame) {
  const std::span<std::uint8_t> packet = frame.subspan(ip_at);
  if ((packet[1] & ecn_bits) == 0) return false;
  const std::uint32_t before = read_16(packet, 0);
  packet[1] |= congestion_experienced;
  // RFC 1624, equation 3: HC' = ~(~HC + ~m + m').
  std::uint32_t sum = (~read_16(packet, 10) & 0xffff) + (~before & 0xffff) + read_16(packet, 0);
  sum = (sum & 0xffff) + (sum >> 16);
  sum = (sum & 0xffff) + (sum >> 16);
  packet[10] = static_cast<std::uint8_t>(~sum >> 8);
  packet[11] = static_cast<std::uint8_t>(~sum);
  return true;
}

void set_destination(std::span<std::uint8_t> frame, const MacAddress& address) {
  std::ranges::copy(address, frame.begin());
}

}  // namespace rehearse::app
