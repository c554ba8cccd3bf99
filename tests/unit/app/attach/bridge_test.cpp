// SPDX-License-Identifier: MIT
//
// Frames through the packet model: their dates by formula, their bytes, drops and marks; no namespaces.
#include "app/attach/bridge.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <vector>

#include "app/attach/addresses.hpp"
#include "simcore/platform.hpp"
#include "tests/support/temporary_file.hpp"

namespace rehearse::app {
namespace {

using Bytes = std::vector<std::uint8_t>;

// Two links of 100 Mbit/s and 100 us between each two hosts.
constexpr const char* star = R"(<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="star" prefix="h" suffix="" radical="0-3" speed="1Gf" bw="100Mbps" lat="100us"
           sharing_policy="SPLITDUPLEX"/>
</platform>
)";

constexpr std::int64_t wire_ps(std::size_t frame) {  // of one link; 24 bytes: checksum, preamble, gap
  return static_cast<std::int64_t>(frame + 24) * 80'000;
}
constexpr std::int64_t latency_ps = 100'000'000;

Bytes frame_to(std::uint32_t from, std::uint32_t to, std::size_t bytes, std::uint8_t fill, std::uint8_t service = 0) {
  Bytes frame(bytes, fill);
  frame[12] = 8;
  frame[13] = 0;
  frame[14] = 0x45;
  frame[15] = service;
  frame[16] = static_cast<std::uint8_t>((bytes - 14) >> 8);
  frame[17] = static_cast<std::uint8_t>(bytes - 14);
  frame[20] = frame[21] = 0;
  frame[23] = 17;
  for (int i = 0; i < 4; ++i) {
    frame[static_cast<std::size_t>(26 + i)] = static_cast<std::uint8_t>(address_of(from) >> (24 - 8 * i));
    frame[static_cast<std::size_t>(30 + i)] = static_cast<std::uint8_t>(address_of(to) >> (24 - 8 * i));
  }
  return frame;
}

struct Arrival {
  std::uint32_t host;
  Bytes frame;
  TimePoint date;
};

struct TestBridge {
  explicit TestBridge(const std::string& keys) : file(star), platform(std::move(make_platform(file.path()).value())) {
    ModelOptions options;
    options.network = "packet";
    options.packet = "transport=raw" + keys;
    costs = std::move(make_cost_model(options, platform).value());
    const std::vector<HostId> hosts = {{0}, {1}, {2}};  // host 3 takes no part
    bridge = std::make_unique<Bridge>(*costs, hosts);
  }
  void run_to(TimePoint date) {
    bridge->advance(date, [&](std::uint32_t host, std::span<const std::uint8_t> frame, TimePoint due) {
      arrivals.push_back({host, Bytes(frame.begin(), frame.end()), due});
    });
  }
  void run() {
    while (bridge->next_date() != CostModel::never) run_to(bridge->next_date());
  }

  testing::TemporaryFile file;
  Platform platform;
  std::unique_ptr<CostModel> costs;
  std::unique_ptr<Bridge> bridge;
  std::vector<Arrival> arrivals;
};

}  // namespace

TEST_CASE("bridge: a frame arrives after latencies and transmissions, with its bytes and the receiver's address") {
  TestBridge test("");
  const TimePoint start{7'000'000};
  test.run_to(start);
  const Bytes frame = frame_to(0, 2, 500, 0x5a);
  test.bridge->enter(0, frame, start);
  CHECK(test.bridge->inside() == 1);
  test.run();
  REQUIRE(test.arrivals.size() == 1);
  CHECK(test.arrivals[0].host == 2);
  CHECK(test.arrivals[0].date.picoseconds == start.picoseconds + 2 * (latency_ps + wire_ps(500)));
  Bytes expected = frame;
  set_destination(expected, mac_address_of(2));
  CHECK(test.arrivals[0].frame == expected);
  CHECK(test.bridge->inside() == 0);
}

TEST_CASE("bridge: the frames of a pair stay in order, one transmission apart") {
  TestBridge test("");
  for (std::uint8_t i = 0; i < 20; ++i) test.bridge->enter(0, frame_to(0, 1, i % 2 ? 1514 : 60, i), {});
  test.run();
  REQUIRE(test.arrivals.size() == 20);
  for (std::uint8_t i = 0; i < 20; ++i) CHECK(test.arrivals[i].frame.back() == i);
  // The last frame waits for all others at the first link only: that is the slowest place for equal links.
  CHECK(test.arrivals[19].date.picoseconds == 2 * latency_ps + 10 * wire_ps(1514) + 10 * wire_ps(60) + wire_ps(1514));
  CHECK(test.bridge->counts().delivered == 20);
}

TEST_CASE("bridge: a full queue drops the newest frames, at the host as at a switch") {
  TestBridge test(",queue=3200");  // two frames of 1538 bytes, besides the one that is being sent
  for (std::uint8_t i = 0; i < 10; ++i) test.bridge->enter(0, frame_to(0, 1, 1514, i), {});
  test.run();
  REQUIRE(test.arrivals.size() == 3);
  for (std::uint8_t i = 0; i < 3; ++i) CHECK(test.arrivals[i].frame.back() == i);
  CHECK(test.bridge->counts().dropped == 7);
  CHECK(test.bridge->inside() == 0);
  // Two senders fill the queue of the switch.
  TestBridge incast(",queue=3200");
  for (std::uint8_t i = 0; i < 3; ++i)
    for (const std::uint32_t host : {0u, 1u}) incast.bridge->enter(host, frame_to(host, 2, 1514, i), {});
  incast.run();
  const FrameCounts& counts = incast.bridge->counts();
  CHECK(counts.entered == 6);
  CHECK(counts.delivered + counts.dropped == 6);
  CHECK(counts.dropped == 1);
}

TEST_CASE("bridge: losses have their probability, and all frames are accounted for") {
  TestBridge test(",loss=0.1,queue=0");
  for (int i = 0; i < 4000; ++i) test.bridge->enter(0, frame_to(0, 1, 200, 1), {});
  test.run();
  const FrameCounts& counts = test.bridge->counts();
  CHECK(counts.delivered + counts.dropped == 4000);
  CHECK(static_cast<double>(counts.delivered) == Approx(4000 * 0.81).margin(4 * 25));  // 4 standard deviations
}

TEST_CASE("bridge: long queues mark the frames whose senders accept marks") {
  TestBridge test(",ecn=3000");
  for (std::uint8_t i = 0; i < 10; ++i) test.bridge->enter(0, frame_to(0, 1, 1514, i, i % 2 ? 2 : 0), {});
  test.run();
  REQUIRE(test.arrivals.size() == 10);
  // The third and later ones find 1538 bytes or more, and are marked beyond 3000 with themselves.
  for (std::uint8_t i = 0; i < 10; ++i) CHECK((test.arrivals[i].frame[15] & 3) == (i % 2 == 0 ? 0 : i >= 2 ? 3 : 2));
  CHECK(test.bridge->counts().marked == 4);
}

TEST_CASE("bridge: back-pressure drops nothing") {
  for (const char* keys : {",lossless=credit,buffer=4000", ",lossless=pfc,xoff=4000,xon=2000"}) {
    INFO(keys);
    TestBridge test(keys);
    for (std::uint8_t i = 0; i < 50; ++i)
      for (const std::uint32_t host : {0u, 1u}) test.bridge->enter(host, frame_to(host, 2, 1514, i), {});
    test.run();
    CHECK(test.arrivals.size() == 100);
    std::map<std::uint32_t, int> next;
    for (const Arrival& arrival : test.arrivals) {
      const std::uint32_t from = arrival.frame[29];
      CHECK(arrival.frame.back() == next[from]++);
    }
  }
}

TEST_CASE("bridge: frames to others are counted and go nowhere") {
  TestBridge test("");
  test.bridge->enter(0, frame_to(0, 3, 100, 1), {});
  test.bridge->enter(0, frame_to(0, 0, 100, 1), {});
  test.bridge->enter(0, Bytes(60, 0xff), {});
  test.run();
  CHECK(test.arrivals.empty());
  CHECK(test.bridge->counts().ignored == 3);
  CHECK(test.bridge->counts().entered == 0);
}

}  // namespace rehearse::app
