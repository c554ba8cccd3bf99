// SPDX-License-Identifier: MIT
//
// Frames of the protocol of `rehearse-ns3`: their bytes, and streams that are cut or damaged.
#include "simcore/ns3/protocol.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <string>

namespace protocol_test {

using namespace rehearse::ns3;

namespace {

template <class Message>
std::string bytes_of(const Message& message) {
  std::string bytes;
  append(bytes, message);
  return bytes;
}

// What the other side reads, and whether that is the whole stream.
template <class Message>
bool read(std::string_view stream, Message& message) {
  Frame frame;
  return take_frame(stream, frame) == FrameStatus::found && stream.empty() && decode(frame, message);
}

Hello some_hello() {
  Hello hello;
  hello.segment_bytes = 1448;
  hello.min_rto = 200'000'000'000;
  hello.seed = ~std::uint64_t{0};
  hello.congestion = "cubic";
  hello.has_sack = false;
  return hello;
}

}  // namespace

TEST_CASE("ns3 protocol: a frame is a length, a kind and little-endian fields", "[ns3]") {
  CHECK(bytes_of(Until{0x0102030405060708}) == std::string("\x09\0\0\0\x09\x08\x07\x06\x05\x04\x03\x02\x01", 13));
  CHECK(bytes_of(Problem{"no"}) == std::string("\x07\0\0\0\x6a\x02\0\0\0no", 11));
  CHECK(bytes_of(Bye{}) == std::string("\x01\0\0\0\x0c", 5));
}

TEST_CASE("ns3 protocol: a message is read as it was written", "[ns3]") {
  Hello hello;
  REQUIRE(read(bytes_of(some_hello()), hello));
  CHECK(hello.segment_bytes == 1448);
  CHECK(hello.min_rto == 200'000'000'000);
  CHECK(hello.seed == ~std::uint64_t{0});
  CHECK(hello.congestion == "cubic");
  CHECK(!hello.has_sack);
  CHECK(hello.has_timestamps);

  NewLink link;
  REQUIRE(read(bytes_of(NewLink{std::numeric_limits<double>::infinity(), -1, 2, 3, 4, 0.25, 1e-9}), link));
  CHECK(link.bytes_per_second == std::numeric_limits<double>::infinity());
  CHECK(link.latency == -1);
  CHECK(link.bit_error == 1e-9);

  NewPath path;
  REQUIRE(read(bytes_of(NewPath{7, 8, {1, 2, 3}, {}}), path));
  CHECK(path.forward == std::vector<std::uint32_t>{1, 2, 3});
  CHECK(path.back.empty());

  At at;
  REQUIRE(read(bytes_of(At{5, no_date, {{1, 2, 3, 4}, {5, 6, 7, 8}}}), at));
  REQUIRE(at.done.size() == 2);
  CHECK(at.next == no_date);
  CHECK(at.done[1].message == 5);
  CHECK(at.done[1].drops == 8);
}

TEST_CASE("ns3 protocol: every cut of a stream is incomplete or lacks fields, and none is read", "[ns3]") {
  const std::string whole = bytes_of(At{5, 6, {{1, 2, 3, 4}}});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    std::string_view cut = std::string_view(whole).substr(0, size);
    Frame frame;
    CHECK(take_frame(cut, frame) == FrameStatus::incomplete);
    if (size < 5) continue;
    std::string shorter = whole.substr(0, size);  // with a length that says so
    shorter[0] = static_cast<char>(size - 4);
    At at;
    CHECK(!read(shorter, at));
  }
}

TEST_CASE("ns3 protocol: bytes behind the fields, other kinds and impossible lengths are refused", "[ns3]") {
  std::string longer = bytes_of(Until{1});
  longer[0] = static_cast<char>(longer[0] + 1);
  Until until;
  CHECK(!read(longer + "x", until));
  CHECK(!read(bytes_of(Ask{1}), until));
  Frame frame;
  for (const std::string& length : {std::string("\0\0\0\0x", 5), std::string("\xff\xff\xff\xffx", 5)}) {
    std::string_view stream = length;
    CHECK(take_frame(stream, frame) == FrameStatus::damaged);
  }
  std::string list = bytes_of(NewPath{1, 2, {3}, {4}});
  list[4 + 1 + 8] = '\x7f';  // a list that is longer than its frame
  NewPath path;
  CHECK(!read(list, path));
}

TEST_CASE("ns3 protocol: frames follow each other in a stream", "[ns3]") {
  const std::string both = bytes_of(Until{1}) + bytes_of(Ask{2});
  std::string_view stream = both;
  Frame frame;
  Until until;
  Ask ask;
  REQUIRE(take_frame(stream, frame) == FrameStatus::found);
  CHECK(decode(frame, until));
  REQUIRE(take_frame(stream, frame) == FrameStatus::found);
  CHECK(decode(frame, ask));
  CHECK(ask.message == 2);
  CHECK(stream.empty());
}

}  // namespace protocol_test
