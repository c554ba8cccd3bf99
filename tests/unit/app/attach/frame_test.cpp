// SPDX-License-Identifier: MIT
//
// Frames of real programs: facts, marks and addresses.
#include "app/attach/frame.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "app/attach/addresses.hpp"

namespace rehearse::app {
namespace {

using Bytes = std::vector<std::uint8_t>;

void put_16(Bytes& bytes, std::size_t at, std::uint32_t value) {
  bytes[at] = static_cast<std::uint8_t>(value >> 8);
  bytes[at + 1] = static_cast<std::uint8_t>(value);
}
void put_32(Bytes& bytes, std::size_t at, std::uint32_t value) {
  put_16(bytes, at, value >> 16);
  put_16(bytes, at + 2, value);
}

// RFC 1071, over the header from byte 14 on.
std::uint32_t checksum(const Bytes& frame) {
  std::uint32_t sum = 0;
  for (std::size_t i = 14; i < 34; i += 2) sum += std::uint32_t{frame[i]} << 8 | frame[i + 1];
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return ~sum & 0xffff;
}

// A TCP segment of 40 bytes in all.
Bytes tcp_frame(std::uint32_t from, std::uint32_t to, std::uint32_t source_port, std::uint8_t service) {
  Bytes frame(14 + 40);
  put_16(frame, 12, 0x0800);
  frame[14] = 0x45;
  frame[15] = service;
  put_16(frame, 16, 40);
  put_16(frame, 18, 0x1234);
  frame[22] = 64;
  frame[23] = 6;
  put_32(frame, 26, from);
  put_32(frame, 30, to);
  put_16(frame, 34, source_port);
  put_16(frame, 36, 5000);
  put_16(frame, 24, checksum(frame));
  return frame;
}

}  // namespace

TEST_CASE("attached frames: the addresses and the flow of a segment are read") {
  const Bytes frame = tcp_frame(address_of(0), address_of(2), 4000, 0);
  const auto facts = read_frame(frame);
  REQUIRE(facts);
  CHECK(facts->source == address_of(0));
  CHECK(host_with(facts->destination, 3) == 2u);
  CHECK_FALSE(facts->accepts_marks);
  CHECK(read_frame(tcp_frame(address_of(0), address_of(2), 4000, 0))->flow == facts->flow);
  CHECK(read_frame(tcp_frame(address_of(0), address_of(2), 4001, 0))->flow != facts->flow);
  CHECK(read_frame(tcp_frame(address_of(1), address_of(2), 4000, 0))->flow != facts->flow);
}

TEST_CASE("attached frames: other protocols and broken headers are no IPv4") {
  Bytes frame = tcp_frame(address_of(0), address_of(1), 1, 0);
  const auto changed = [&](std::size_t at, std::uint8_t value) {
    Bytes copy = frame;
    copy[at] = value;
    return read_frame(copy).has_value();
  };
  CHECK(changed(13, 0x00));        // as it was
  CHECK_FALSE(changed(13, 0x06));  // ARP
  CHECK_FALSE(changed(14, 0x65));  // version 6
  CHECK_FALSE(changed(14, 0x44));  // a header of 16 bytes
  CHECK_FALSE(changed(17, 41));    // longer than the frame
  CHECK_FALSE(changed(17, 19));    // shorter than its header
  for (std::size_t length = 0; length < 34; ++length) {
    const Bytes part(frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(length));
    CHECK_FALSE(read_frame(part));
  }
}

TEST_CASE("attached frames: a fragment belongs to the flow of its hosts") {
  Bytes first = tcp_frame(address_of(0), address_of(1), 1, 0), second = tcp_frame(address_of(0), address_of(1), 2, 0);
  put_16(first, 20, 0x2000);  // more fragments
  put_16(second, 20, 0x00b9);
  CHECK(read_frame(first)->flow == read_frame(second)->flow);
}

TEST_CASE("attached frames: a mark sets CE and keeps the checksum right, for all headers that accept marks") {
  for (std::uint32_t service = 0; service < 256; ++service)
    for (const std::uint32_t host : {0u, 7u, 255u, 1000u}) {
      Bytes frame = tcp_frame(address_of(host), address_of(1), 1, static_cast<std::uint8_t>(service));
      const Bytes before = frame;
      const bool accepts = read_frame(frame)->accepts_marks;
      CHECK(accepts == ((service & 3) != 0));
      CHECK(mark_congestion(frame) == accepts);
      if (!accepts) CHECK(frame == before);
      else CHECK((frame[15] == (service | 3)));
      CHECK(checksum(frame) == 0);
    }
}

TEST_CASE("attached addresses: each host has one, and only hosts that take part") {
  CHECK(address_text(address_of(0)) == "10.0.0.1");
  CHECK(address_text(address_of(255)) == "10.0.1.0");
  for (const std::uint32_t host : {0u, 1u, 300u, 1023u}) CHECK(host_with(address_of(host), 1024) == host);
  CHECK_FALSE(host_with(address_of(4), 4));
  CHECK_FALSE(host_with(network_address, 4));
  CHECK_FALSE(host_with(0xffffffffu, 4));
  CHECK(mac_address_of(0) != mac_address_of(256));
  const std::vector<std::string> names = {"a", "b"};
  CHECK(hosts_file(names) == "127.0.0.1 localhost\n10.0.0.1 a\n10.0.0.2 b\n");
}

}  // namespace rehearse::app
