// SPDX-License-Identifier: MIT
//
// From a packet of the model to a frame of its transport: TCP, UDP (`window`, `raw`) or RoCEv2 (`rdma`).
//
// Lengths: with tcp, IP and TCP take the bytes of the key `header`; with window and raw, UDP does, but at least 28
//          bytes; with rdma, the headers are those of RoCEv2, and frames are captured whole.
// Options: of TCP, in 12 bytes: timestamps, or a SACK block instead; at the opening, the segment size, the permission
//          of SACK and the window scale instead. More bytes hold both, and no-operations; fewer bytes hold less.
#pragma once

#include <cstdint>
#include <optional>

#include "simcore/capture/frame.hpp"
#include "simcore/capture/stream.hpp"
#include "simcore/packet/packet.hpp"
#include "simcore/packet/parameters.hpp"

namespace rehearse::capture {

// The service ports of messages with envelopes and of plain transfers.
inline constexpr std::uint16_t message_port = 30000, plain_port = 30001, roce_port = 4791;

class PacketFrames {
 public:
  explicit PacketFrames(const packet::Parameters& parameters);

  // Headers that no frame can have; the text names the key and its range.
  static std::optional<Error> check(const packet::Parameters& parameters);

  // The head of all frames of a stream. With rdma, the port of the sender is only the entropy of routes.
  FrameHead head(HostId source, HostId destination, std::uint16_t port, std::uint16_t service) const;
  // The frame of the packet; valid until the next call. `at`: that of its first byte.
  const EthernetFrame& make(const packet::Packet& packet, Stream& stream, const MessagePlace& at);
  // No frame has more captured bytes: all its headers and an envelope.
  std::uint32_t snap_length() const { return snap_length_; }

 private:
  void make_tcp(const packet::Packet& packet, Stream& stream, const MessagePlace& at);
  void put_options(const packet::Packet& packet, Stream& stream, std::uint32_t acknowledged);
  void put_opening_options(const packet::Packet& packet);
  std::uint32_t put_stamps(std::uint32_t place, std::uint32_t stamp, std::uint32_t echoed);
  void make_udp(const packet::Packet& packet, Stream& stream, const MessagePlace& at);
  void make_roce(const packet::Packet& packet, Stream& stream, const MessagePlace& at);
  void begin(const packet::Packet& packet, Stream& stream, std::uint32_t headers, std::uint32_t ip_payload);
  void put_envelope(std::uint32_t place, const packet::Packet& packet, const MessagePlace& at);

  const packet::Parameters& parameters_;
  EthernetFrame frame_;
  bool uses_marks_ = false;
  std::uint32_t options_ = 0;  // bytes
  int window_shift_ = 0;
  std::uint32_t snap_length_ = 0;
};

}  // namespace rehearse::capture
