// SPDX-License-Identifier: MIT
//
// One frame of Ethernet with IPv4, UDP, TCP or RoCEv2 inside: its headers, and the beginning of its payload.
//
// Units:  numbers in network byte order; `length` counts the frame without its checksum (as captures do).
// Shape:  the bytes behind the last one that was put are zeros and are not captured, unless end_with_crc() makes the
//         frame whole. The sum for the checksum grows
//         with each number that is put, so each place behind the ports must be written once at most.
// Source: RFC 791, 1071, 768, 9293; InfiniBand architecture specification, annexes A16, A17 (BTH, AETH, ICRC).
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace rehearse::capture {

inline constexpr std::uint32_t ethernet_bytes = 14, ip_bytes = 20, udp_bytes = 8, tcp_bytes = 20;
inline constexpr std::uint32_t most_captured = 160;  // of a frame that is not captured whole

enum class IpProtocol : std::uint8_t { tcp = 6, udp = 17 };

// The common part of all frames of a connection, in 16 bytes, because runs have thousands of connections. Hosts are
// numbers: their addresses are 02:00 and four bytes, and 10 and three bytes.
struct FrameHead {
  static constexpr std::uint32_t size = ethernet_bytes + ip_bytes + 4;

  FrameHead() = default;
  FrameHead(IpProtocol protocol, std::uint32_t source, std::uint32_t destination, std::uint16_t port,
            std::uint16_t service);

  std::uint32_t source = 0, destination = 0;
  std::uint16_t port = 0, service = 0;
  std::uint16_t ip_sum = 0;         // without the fields that differ
  std::uint16_t transport_sum = 0;  // of the pseudo header without length, and of the ports
};

// The ports of the frames from the destination to the source.
enum class PortsBack : std::uint8_t { swapped, same };

// The captured bytes of a frame: a beginning, zeros, and an end.
struct CapturedBytes {
  std::span<const std::uint8_t> begin;
  std::uint32_t zeros = 0;
  std::span<const std::uint8_t> end = {};

  std::uint32_t size() const { return static_cast<std::uint32_t>(begin.size() + zeros + end.size()); }
};

class EthernetFrame {
 public:
  EthernetFrame(IpProtocol protocol, PortsBack ports);
  struct Size {
    std::uint32_t headers;     // Ethernet, IP, and all headers behind it
    std::uint32_t ip_payload;  // with the headers behind IP
  };
  // `is_back`: from the destination to the source.
  void begin(const FrameHead& head, bool is_back, std::uint8_t service_bits, Size size);
  void put8(std::uint32_t place, std::uint8_t value) {
    bytes_[place] = value;
    sum_ += place % 2 == 0 ? value : value << 8;
  }
  void put16(std::uint32_t place, std::uint16_t value);  // at even places
  void put32(std::uint32_t place, std::uint32_t value);  // likewise
  // Behind all headers.
  void put_bytes(std::uint32_t place, std::span<const std::uint8_t> bytes);
  // Of UDP and TCP.
  void set_checksum(std::uint32_t place);
  // Captures the frame whole, with the CRC of RoCEv2 as its last 4 bytes.
  void end_with_crc();

  std::uint32_t length() const { return length_; }
  CapturedBytes captured() const { return {{bytes_.data(), captured_}, zeros_, {crc_.data(), is_whole_ ? 4u : 0u}}; }

 private:
  std::array<std::uint8_t, most_captured> bytes_;
  std::uint32_t length_ = 0;
  std::uint32_t captured_ = 0;  // of bytes_
  std::uint32_t zeros_ = 0;     // captured behind them
  std::array<std::uint8_t, 4> crc_{};
  bool is_whole_ = false;
  std::uint64_t sum_ = 0;  // of the pseudo header and all behind it
  IpProtocol protocol_;
  PortsBack ports_;
};

}  // namespace rehearse::capture
