// SPDX-License-Identifier: MIT
//
// See packet_frame.hpp.
#include "simcore/capture/packet_frame.hpp"

#include <algorithm>

#include "simcore/support/format.hpp"

namespace rehearse::capture {

using packet::Packet;
using packet::Transport;

namespace {

constexpr std::uint32_t transport_place = ethernet_bytes + ip_bytes;
constexpr std::uint32_t options_place = transport_place + tcp_bytes;
constexpr std::uint32_t bth_bytes = 12, aeth_bytes = 4, reth_bytes = 16, icrc_bytes = 4, cnp_bytes = 16;
constexpr std::uint32_t least_snap_length = 96;
enum TcpFlag : std::uint8_t { syn = 2, push = 8, ack = 16, ece = 64, cwr = 128 };
enum TcpOption : std::uint8_t {
  no_operation = 1,
  segment_size = 2,
  window_scale = 3,
  sack_permitted = 4,
  sack = 5,
  timestamps = 8
};
constexpr std::uint32_t stamps_bytes = 12, sack_bytes = 12;  // with no-operations before them
// Reliable connection of RoCEv2.
enum Opcode : std::uint8_t {
  send_first = 0,
  send_middle = 1,
  send_last = 2,
  send_only = 4,
  write_first = 6,
  write_middle = 7,
  write_last = 8,
  write_only = 10,
  acknowledge = 0x11,
  congestion_notification = 0x81
};

std::uint32_t udp_headers(const packet::Parameters& parameters) {
  return std::max(parameters.header, ip_bytes + udp_bytes);
}

IpProtocol protocol_of(const packet::Parameters& parameters) {
  return parameters.transport == Transport::tcp ? IpProtocol::tcp : IpProtocol::udp;
}

std::uint32_t payload_of(const Packet& packet) {
  return packet.flags & (packet::control | packet::empty) ? 0 : packet.length;
}

}  // namespace

std::optional<Error> PacketFrames::check(const packet::Parameters& parameters) {
  const std::uint32_t header = parameters.header, least = ip_bytes + tcp_bytes;
  if (parameters.transport == Transport::tcp && (header < least || header > least + 40 || header % 4 != 0))
    return Error{fmt::format("--pcap: header={} given; accepted with transport tcp: 40 to 80 in steps of 4", header)};
  if (parameters.transport != Transport::tcp && header > 80)
    return Error{fmt::format("--pcap: header={} given; accepted: 0 to 80", header)};
  if (parameters.mtu > 65'000) return Error{fmt::format("--pcap: mtu={} given; accepted: up to 65000", parameters.mtu)};
  return std::nullopt;
}

PacketFrames::PacketFrames(const packet::Parameters& parameters)
    : parameters_(parameters),
      frame_(protocol_of(parameters), parameters.transport == Transport::rdma ? PortsBack::same : PortsBack::swapped) {
  uses_marks_ = parameters.ecn > 0 || parameters.congestion == packet::Congestion::dctcp;
  std::uint32_t headers = udp_headers(parameters);
  if (parameters.transport == Transport::rdma)
    headers = ip_bytes + udp_bytes + bth_bytes + reth_bytes + parameters.payload() + 3 + icrc_bytes;
  if (parameters.transport == Transport::tcp) {
    headers = parameters.header;
    options_ = headers - ip_bytes - tcp_bytes;
  }
  while (options_ >= 8 && window_shift_ < 14 && parameters.window >> window_shift_ > 0xffff) ++window_shift_;
  snap_length_ = std::max(least_snap_length, ethernet_bytes + headers + envelope_bytes);
}

const EthernetFrame& PacketFrames::make(const Packet& packet, Stream& stream, const MessagePlace& at) {
  switch (parameters_.transport) {
    case Transport::tcp: make_tcp(packet, stream, at); break;
    case Transport::rdma: make_roce(packet, stream, at); break;
    default: make_udp(packet, stream, at);
  }
  return frame_;
}

FrameHead PacketFrames::head(HostId source, HostId destination, std::uint16_t port, std::uint16_t service) const {
  const bool is_rdma = parameters_.transport == Transport::rdma;
  return {protocol_of(parameters_), source.value, destination.value, port, is_rdma ? roce_port : service};
}

// `headers`: those of the transport.
void PacketFrames::begin(const Packet& packet, Stream& stream, std::uint32_t headers, std::uint32_t ip_payload) {
  const bool is_answer = (packet.flags & packet::answer_flag) != 0;
  std::uint8_t marks = uses_marks_ && payload_of(packet) > 0 ? 2 : 0;  // RFC 3168: ECT(0), CE
  if (packet.flags & packet::congested) marks = 3;
  frame_.begin(stream.head, is_answer, marks, {transport_place + headers, ip_payload});
}

// The part of the envelope that is in the packet.
void PacketFrames::put_envelope(std::uint32_t place, const Packet& packet, const MessagePlace& at) {
  const std::uint64_t skipped = packet.number - at.begin;
  if (skipped >= envelope_bytes || at.message == nullptr || !at.message->has_envelope) return;
  const auto envelope = at.message->envelope();
  const std::uint64_t bytes = std::min<std::uint64_t>(envelope_bytes - skipped, payload_of(packet));
  frame_.put_bytes(place, std::span(envelope).subspan(skipped, bytes));
}

// ---- TCP

void PacketFrames::make_tcp(const Packet& packet, Stream& stream, const MessagePlace& at) {
  const std::uint32_t payload = payload_of(packet);
  begin(packet, stream, tcp_bytes + options_, tcp_bytes + options_ + payload);
  const bool is_opening = (packet.flags & packet::synchronise) != 0;
  const auto place = static_cast<std::uint32_t>(stream.wire_place(packet.number));
  std::uint32_t sequence = stream.first_sequence + (is_opening ? 0 : 1) + place;
  std::uint32_t acknowledged = stream.first_answer + 1;
  std::uint8_t flags = is_opening ? syn : ack;
  if (packet.flags & packet::answer_flag) {
    sequence = stream.first_answer + (is_opening ? 0 : 1);
    acknowledged = stream.first_sequence + 1 + place;
    flags |= ack;
    if (packet.flags & packet::echo || (is_opening && uses_marks_)) flags |= ece;
  } else if (is_opening) {
    acknowledged = 0;
    if (uses_marks_) flags |= ece | cwr;
  } else {
    if (uses_marks_ && packet.flags & packet::reduced) flags |= cwr;
    if (payload > 0 && packet.number + payload == at.end) flags |= push;
  }
  const std::uint64_t window = parameters_.window >> (is_opening ? 0 : window_shift_);
  frame_.put32(transport_place + 4, sequence);
  frame_.put32(transport_place + 8, acknowledged);
  frame_.put8(transport_place + 12, static_cast<std::uint8_t>((tcp_bytes + options_) / 4 << 4));
  frame_.put8(transport_place + 13, flags);
  frame_.put16(transport_place + 14, static_cast<std::uint16_t>(std::min<std::uint64_t>(window, 0xffff)));
  if (is_opening) put_opening_options(packet);
  else put_options(packet, stream, acknowledged);
  put_envelope(options_place + options_, packet, at);
  frame_.set_checksum(transport_place + 16);
}

std::uint32_t PacketFrames::put_stamps(std::uint32_t place, std::uint32_t stamp, std::uint32_t echoed) {
  frame_.put32(place, no_operation << 24 | no_operation << 16 | timestamps << 8 | 10);
  frame_.put32(place + 4, stamp);
  frame_.put32(place + 8, echoed);
  return place + stamps_bytes;
}

void PacketFrames::put_opening_options(const Packet& packet) {
  const std::uint32_t end = options_place + options_;
  std::uint32_t place = options_place;
  if (options_ >= 4) {
    frame_.put32(place, segment_size << 24 | 4 << 16 | (parameters_.mtu - ip_bytes - tcp_bytes));
    place += 4;
  }
  if (options_ >= 8) {
    frame_.put32(place, static_cast<std::uint32_t>(no_operation << 24 | window_scale << 16 | 3 << 8 | window_shift_));
    place += 4;
  }
  if (options_ >= 12 && parameters_.has_sack) {
    frame_.put32(place, no_operation << 24 | no_operation << 16 | sack_permitted << 8 | 2);
    place += 4;
  }
  if (end - place >= stamps_bytes)
    place = packet.flags & packet::answer_flag ? put_stamps(place, packet.stamp, packet.stamp)
                                               : put_stamps(place, packet.stamp, 0);
  for (; place < end; ++place) frame_.put8(place, no_operation);
}

void PacketFrames::put_options(const Packet& packet, Stream& stream, std::uint32_t acknowledged) {
  const std::uint32_t end = options_place + options_;
  std::uint32_t place = options_place;
  const bool is_answer = (packet.flags & packet::answer_flag) != 0;
  if (packet.flags & packet::selective && options_ >= sack_bytes) {
    const auto left =
        static_cast<std::uint32_t>(stream.wire_place(packet.number + packet.stamp) - stream.wire_place(packet.number)) +
        acknowledged;
    frame_.put32(place, no_operation << 24 | no_operation << 16 | sack << 8 | 10);
    frame_.put32(place + 4, left);
    frame_.put32(place + 8, left + packet.length);
    place += sack_bytes;
  }
  // Of a selective acknowledgement, the field `stamp` is a part of the block.
  if (end - place >= stamps_bytes) {
    const std::uint32_t stamp = packet.flags & packet::selective ? 0 : packet.stamp;
    place = put_stamps(place, stamp, is_answer ? stamp : 0);
  }
  for (; place < end; ++place) frame_.put8(place, no_operation);
}

// ---- UDP

// After UDP: the number of the first byte, or the next one that is expected, and the flag 1 of an acknowledgement.
void PacketFrames::make_udp(const Packet& packet, Stream& stream, const MessagePlace& at) {
  const std::uint32_t headers = udp_headers(parameters_) - ip_bytes, payload = payload_of(packet);
  begin(packet, stream, headers, headers + payload);
  frame_.put16(transport_place + 4, static_cast<std::uint16_t>(headers + payload));
  constexpr std::uint32_t own = transport_place + udp_bytes;
  if (headers >= udp_bytes + 12) {
    frame_.put32(own, static_cast<std::uint32_t>(packet.number >> 32));
    frame_.put32(own + 4, static_cast<std::uint32_t>(packet.number));
    frame_.put32(own + 8, packet.flags & packet::answer_flag ? 1 : 0);
  }
  put_envelope(transport_place + headers, packet, at);
  frame_.set_checksum(transport_place + 6);
}

// ---- RoCEv2

// Of a message with an envelope: sends; otherwise writes into the memory of the receiver. Frames are whole. tshark
// takes short sends of zeros for RPC over RDMA, and payload that was cut for malformed.
void PacketFrames::make_roce(const Packet& packet, Stream& stream, const MessagePlace& at) {
  const std::uint32_t payload = payload_of(packet), segment = parameters_.payload();
  const bool is_answer = (packet.flags & packet::answer_flag) != 0;
  std::uint8_t opcode = send_only;
  std::uint32_t headers = bth_bytes;
  // A packet that is sent again has its old number; an acknowledgement has the number of the last packet that it
  // covers.
  std::uint64_t number = 0;
  bool asks = false;  // for an acknowledgement
  const CapturedMessage* message = at.message;
  if (message != nullptr) number = message->packet + (packet.number - message->begin) / segment;
  if (is_answer) {
    const bool is_notification = (packet.flags & packet::notification) != 0;
    opcode = is_notification ? congestion_notification : acknowledge;
    headers += is_notification ? cnp_bytes : aeth_bytes;
    const CapturedMessage* last = packet.number > 0 ? stream.find(packet.number - 1).message : nullptr;
    if (last != nullptr) number = last->packet + (packet.number - 1 - last->begin) / segment;
    if (packet.flags & packet::refused) number += last != nullptr ? 1 : 0;
  } else if (message != nullptr) {
    const bool is_first = packet.number == message->begin;
    const bool is_last = packet.number + std::max(packet.length, 1u) >= message->end;
    const bool writes = !message->has_envelope;
    if (writes) opcode = is_first ? (is_last ? write_only : write_first) : is_last ? write_last : write_middle;
    else opcode = is_first ? (is_last ? send_only : send_first) : is_last ? send_last : send_middle;
    asks = is_last;
    if (writes && is_first) headers += reth_bytes;
  }
  const std::uint32_t padding = (4 - payload % 4) % 4;
  const std::uint32_t udp_length = udp_bytes + headers + payload + padding + icrc_bytes;
  begin(packet, stream, udp_bytes + headers, udp_length);
  constexpr std::uint32_t bth = transport_place + udp_bytes;
  frame_.put16(transport_place + 4, static_cast<std::uint16_t>(udp_length));
  frame_.put32(bth, static_cast<std::uint32_t>(opcode << 24 | padding << 20 | 0xffff));
  frame_.put32(bth + 4, is_answer ? stream.first_answer & 0xffffff : stream.first_sequence & 0xffffff);
  frame_.put32(bth + 8, (asks ? 1u << 31 : 0) | static_cast<std::uint32_t>(number & 0xffffff));
  if (opcode == acknowledge) frame_.put32(bth + bth_bytes, packet.flags & packet::refused ? 0x60u << 24 : 0x1fu << 24);
  if (opcode == write_first || opcode == write_only) {  // an address, a key and the length of the region
    frame_.put32(bth + bth_bytes, static_cast<std::uint32_t>(message->begin >> 32));
    frame_.put32(bth + bth_bytes + 4, static_cast<std::uint32_t>(message->begin));
    frame_.put32(bth + bth_bytes + 8, stream.first_sequence);
    frame_.put32(bth + bth_bytes + 12, static_cast<std::uint32_t>(message->bytes));
  }
  put_envelope(bth + headers, packet, at);
  frame_.end_with_crc();
}

}  // namespace rehearse::capture
