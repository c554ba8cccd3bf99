// SPDX-License-Identifier: MIT
//
// Files of captures, read back block by block, and the checksums of frames.
#include "simcore/capture/pcapng_file.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>

#include "simcore/capture/packet_frame.hpp"
#include "simcore/packet_capture.hpp"

namespace pcapng_file_test {

using namespace rehearse;
using namespace rehearse::capture;

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(in), {});
}

std::uint32_t word(const Bytes& bytes, std::size_t place) {
  REQUIRE(place + 4 <= bytes.size());
  std::uint32_t value;
  std::memcpy(&value, bytes.data() + place, 4);
  return value;
}

// The places of the blocks with this type. Both lengths of each block agree.
std::vector<std::size_t> blocks_of(const Bytes& bytes, std::uint32_t type) {
  std::vector<std::size_t> places;
  std::size_t place = 0;
  while (place < bytes.size()) {
    const std::uint32_t length = word(bytes, place + 4);
    REQUIRE(length % 4 == 0);
    REQUIRE(length >= 12);
    CHECK(word(bytes, place + length - 4) == length);
    if (word(bytes, place) == type) places.push_back(place);
    place += length;
  }
  CHECK(place == bytes.size());
  return places;
}

std::string new_path(const char* name) {
  return (std::filesystem::temp_directory_path() / (std::to_string(getpid()) + name)).string();
}

// In ones' complement over 16-bit words in network byte order; an end of zeros changes nothing.
std::uint32_t sum(std::span<const std::uint8_t> bytes) {
  std::uint32_t total = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) total += i % 2 ? bytes[i] : bytes[i] << 8;
  while (total >> 16) total = (total & 0xffff) + (total >> 16);
  return total;
}

}  // namespace

TEST_CASE("pcapng file: blocks have the frames, lengths, dates and comments that were added") {
  const std::string path = new_path("-blocks.pcapng");
  const bool stays_open = GENERATE(false, true);
  {
    PcapngFile file(path, "link", {98, stays_open});
    const Bytes frame = {1, 2, 3, 4, 5};
    file.add(5'000'000'001, {frame}, 1514, "");
    file.add(5'000'000'002, {frame}, 5, "a comment");
    file.flush();
    for (int i = 0; i < 1000; ++i) file.add(5'000'000'003 + i, {{}, 98}, 98, "");  // more than a buffer
    file.flush();
    CHECK(file.error() == 0);
  }
  const Bytes bytes = content_of(path);
  std::filesystem::remove(path);
  CHECK(blocks_of(bytes, 0x0a0d0d0a).size() == 1);
  CHECK(blocks_of(bytes, 1).size() == 1);
  const auto packets = blocks_of(bytes, 6);
  REQUIRE(packets.size() == 1002);
  CHECK((std::uint64_t{word(bytes, packets[0] + 12)} << 32 | word(bytes, packets[0] + 16)) == 5'000'000'001);
  CHECK(word(bytes, packets[0] + 20) == 5);
  CHECK(word(bytes, packets[0] + 24) == 1514);
  CHECK(word(bytes, packets[0] + 4) == 40);
  CHECK(word(bytes, packets[1] + 4) == 60);
  const std::string text(bytes.begin() + static_cast<std::ptrdiff_t>(packets[1]) + 40,
                         bytes.begin() + static_cast<std::ptrdiff_t>(packets[1]) + 49);
  CHECK(text == "a comment");
}

TEST_CASE("pcapng file: a file that cannot be written keeps its error") {
  PcapngFile file("/nowhere/at/all.pcapng", "link", {98, true});
  file.flush();
  CHECK(file.error() == ENOENT);
}

TEST_CASE("packet frames: the checksums of a segment with an envelope hold over its payload of zeros") {
  const packet::Parameters parameters;
  PacketFrames frames(parameters);
  Stream stream;
  stream.head = frames.head({0}, {7}, 40000, message_port);
  stream.first_sequence = 0xfffffff0;
  CapturedMessage message;
  message.end = 5000;
  message.connection = std::uint64_t{4} << 32 | 8;
  message.label = {0, 5, 4968, 0, false, false};
  message.has_envelope = true;
  stream.add(message, false);
  packet::Packet packet;
  packet.length = 1448;
  const EthernetFrame& frame = frames.make(packet, stream, stream.find(0));
  CHECK(frame.length() == 1514);
  const auto captured = frame.captured().begin;
  REQUIRE(captured.size() == 98);
  CHECK(sum(captured.subspan(14, 20)) == 0xffff);
  const std::uint32_t pseudo = sum(captured.subspan(26, 8)) + 6 + 1480;
  std::uint32_t all = pseudo + sum(captured.subspan(34));
  while (all >> 16) all = (all & 0xffff) + (all >> 16);
  CHECK(all == 0xffff);
  CHECK(captured[78] == 1);  // eager
  CHECK(std::string(captured.begin() + 79, captured.begin() + 82) == "MSG");
  CHECK(captured[66] == 3);  // the source rank
}

TEST_CASE("packet frames: headers that TCP cannot have are refused by name") {
  packet::Parameters parameters;
  parameters.header = 39;
  CHECK(PacketFrames::check(parameters)->text ==
        "--pcap: header=39 given; accepted with transport tcp: 40 to 80 in steps of 4");
  parameters.header = 80;
  CHECK_FALSE(PacketFrames::check(parameters));
}

TEST_CASE("packet capture: an impossible folder and an invalid expression are refused") {
  CHECK(make_packet_capture("/dev/null/x").error().text.starts_with("--pcap: cannot write into the folder"));
  CHECK(make_packet_capture("").error().text.starts_with("--pcap: ''"));
  CHECK(make_packet_capture("x:(").error().text.starts_with("--pcap: '('"));
}

}  // namespace pcapng_file_test
