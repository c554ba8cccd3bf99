// SPDX-License-Identifier: MIT
//
// Jitter: packets overtake each other on a link, and nothing else happens to them.
#include "simcore/packet/held_packets.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "tests/support/packet_star.hpp"

namespace held_packets_test {

using namespace rehearse;
using namespace rehearse::packet;
using rehearse::testing::packet_keys;
using rehearse::testing::PacketStar;

namespace {

constexpr Picoseconds microsecond = 1'000'000;

// Packets of 1,250 bytes that enter a link every 10 us, in the order in which they leave it.
std::vector<Relayed> relayed(const std::string& keys) {
  Network network(packet_keys("transport=raw,header=0,framing=0,mtu=1250,queue=0," + keys));
  network.fabric().add({0, 1.25e8, 1e-5, true, {}});
  const std::uint32_t connection = network.ends().open_relay(std::vector<std::uint32_t>{0});
  for (std::uint64_t i = 0; i < 1000; ++i) network.ends().relay(connection, i, 1250, 0);
  network.run_until(no_date - 1);
  return network.ends().relayed();
}

std::vector<Picoseconds> ends_of_three(const std::string& keys, bool has_others = false) {
  PacketStar star(keys, 6);
  for (std::uint32_t i = 0; i < 2; ++i) star.add_flow(i, 1 - i, 400'000);
  star.add_flow(0, 1, 100'000, 70 * microsecond);
  for (std::uint32_t i = 2; has_others && i < 5; ++i) star.add_flow(i, 5, 300'000, i * microsecond);
  star.run();
  return {star.ends().begin(), star.ends().begin() + 3};
}

}  // namespace

TEST_CASE("jitter: delays are spread over [0, jitter], and packets overtake each other") {
  const std::vector<Relayed> packets = relayed("jitter=100us");
  REQUIRE(packets.size() == 1000);
  Picoseconds least = no_date, most = 0, sum = 0;
  std::uint64_t overtaken = 0, highest = 0;
  for (const Relayed& packet : packets) {
    const auto in_order = static_cast<Picoseconds>(packet.number + 1) * 10 * microsecond + 10 * microsecond;
    const Picoseconds delay = packet.date - in_order;
    least = std::min(least, delay);
    most = std::max(most, delay);
    sum += delay;
    if (packet.number < highest) ++overtaken;
    highest = std::max(highest, packet.number);
  }
  CHECK(least >= 0);
  CHECK(most <= 100 * microsecond);
  CHECK(least < 2 * microsecond);
  CHECK(most > 98 * microsecond);
  CHECK(static_cast<double>(sum) / 1e9 == Approx(50).margin(4));  // four standard deviations of the mean, in us
  CHECK(overtaken > 300);
  CHECK(std::ranges::is_sorted(packets, {}, &Relayed::date));
}

TEST_CASE("jitter: below the distance of packets nothing is overtaken, and 0 is as none") {
  const std::vector<Relayed> packets = relayed("jitter=9us");
  CHECK(std::ranges::is_sorted(packets, {}, &Relayed::number));
  CHECK(packets.front().date != relayed("")[0].date);
  CHECK(ends_of_three("jitter=0,loss=0.01") == ends_of_three("loss=0.01"));
}

TEST_CASE("jitter: TCP delivers everything in order, and repeats segments that were only late") {
  for (const char* kind : {"", "congestion=newreno,sack=0", "congestion=reno,sack=0", "congestion=dctcp,ecn=30000",
                           "nagle=1", "delayed_ack=1", "arbitration=fifo", "congestion=none,window=64KiB", "streams=4",
                           "transport=window,window=64KiB"})
    for (const char* disturbance : {"jitter=60us", "jitter=2ms", "jitter=100us,loss=0.02", "jitter=300us,queue=16KiB"})
      for (int seed = 1; seed <= 3; ++seed) {
        INFO(kind << ", " << disturbance << ", seed " << seed);
        PacketStar star(std::string(kind) + (*kind ? "," : "") + disturbance + ",seed=" + std::to_string(seed), 3);
        for (std::uint32_t i = 0; i < 3; ++i) star.add_flow(i, (i + 1) % 3, 300'000, 10 * microsecond * i);
        bool holds = true;
        star.run([&] { holds = holds && star.is_conserved(); });
        CHECK(holds);
        CHECK(star.network().fabric().packets_inside() == 0);
        CHECK(std::ranges::count(star.ends(), no_date) == 0);
        CHECK(star.retransmissions() > 0);
        for (std::uint32_t i = 0; i < star.network().ends().count(); ++i) {
          CHECK(star.network().ends()[i].receiver.expected == 300'000);
          CHECK(star.network().ends()[i].sender.acknowledged == 300'000);
        }
      }
}

TEST_CASE("jitter: without a loss, each retransmission is spurious") {
  PacketStar star("jitter=200us,queue=0", 2);
  star.add_flow(0, 1, 1'000'000);
  star.run();
  CHECK(star.lost() == 0);
  CHECK(star.network().ends().lost() == 0);
  CHECK(star.retransmissions() > 0);
  CHECK(star.network().ends().totals().recoveries > 0);
  CHECK(star.network().ends().totals().timeouts == 0);
}

TEST_CASE("jitter: messages of one connection are delivered in order") {
  for (std::uint32_t streams : {1u, 4u}) {
    Network network(packet_keys("jitter=500us,streams=" + std::to_string(streams)));
    for (std::uint32_t i = 0; i < 4; ++i) network.fabric().add({i, 1.25e8, 1e-5, true, {}});
    const std::vector<std::uint32_t> forward{0, 3}, back{2, 1};
    const std::uint32_t connection = network.ends().open(forward, back, true);
    for (std::uint32_t i = 0; i < 200; ++i) network.ends().send(connection, 1 + i * 37 % 4000, i, 0, i % streams);
    std::vector<std::uint32_t> next(streams);
    std::uint32_t delivered = 0;
    for (; network.run_until(no_date - 1) != no_date; network.ends().completions().clear())
      for (const Completion& completion : network.ends().completions()) {
        CHECK(completion.activity == next[completion.activity % streams] * streams + completion.activity % streams);
        ++next[completion.activity % streams];
        ++delivered;
      }
    CHECK(delivered == 200);
  }
}

TEST_CASE("jitter: the transport of rdma ends, too") {
  PacketStar star("transport=rdma,jitter=50us,min_rto=1ms", 2);
  star.add_flow(0, 1, 500'000);
  star.run();
  CHECK(star.ends()[0] != no_date);
  CHECK(star.retransmissions() > 0);
}

TEST_CASE("jitter: the same seed gives the same dates, and other traffic changes none") {
  const std::string keys = "jitter=300us,loss=0.005";
  CHECK(ends_of_three(keys) == ends_of_three(keys));
  CHECK(ends_of_three(keys) != ends_of_three(keys + ",seed=2"));
  CHECK(ends_of_three(keys) == ends_of_three(keys, true));
}

TEST_CASE("jitter: a link that goes off loses the packets that it holds back") {
  Network network(packet_keys("transport=raw,jitter=1ms,queue=0"));
  network.fabric().add({0, 1.25e8, 1e-5, true, {}});
  const std::uint32_t connection = network.ends().open_relay(std::vector<std::uint32_t>{0});
  for (std::uint64_t i = 0; i < 40; ++i) network.ends().relay(connection, i, 1000, 0);
  network.run_until(400 * microsecond);
  const std::size_t arrived = network.ends().relayed().size();
  REQUIRE(arrived > 0);
  REQUIRE(arrived < 40);
  network.fabric().set_on(0, false, 400 * microsecond);
  CHECK(network.fabric().packets_inside() == 0);
  CHECK(network.ends().relayed().size() == 40);
  CHECK(network.fabric().link(0).totals.drops == 40 - arrived);
  network.fabric().set_on(0, true, 400 * microsecond);
  network.ends().relay(connection, 40, 1000, 400 * microsecond);  // in the slot of a lost one, whose event comes first
  network.run_until(no_date - 1);
  REQUIRE(network.ends().relayed().size() == 41);
  CHECK_FALSE(network.ends().relayed().back().is_lost);
  CHECK(network.fabric().packets_inside() == 0);
}

TEST_CASE("jitter: lossless networks and cut-through switches refuse it") {
  CHECK(parse_parameters("jitter=1ms"));
  for (const char* keys : {"jitter=1ms,lossless=credit", "jitter=1ms,lossless=pfc", "jitter=1ms,switching=cut-through",
                           "jitter=-1ms", "jitter=1h", "jitter="})
    CHECK_FALSE(parse_parameters(keys));
  CHECK(parse_link_parameters("jitter=1ms", packet_keys("")));
  CHECK_FALSE(parse_link_parameters("jitter=1ms", packet_keys("lossless=credit")));
  CHECK_FALSE(parse_link_parameters("jitter=1ms", packet_keys("switching=cut-through")));
  CHECK(parse_link_parameters("jitter=0", packet_keys("switching=cut-through")));
}

}  // namespace held_packets_test
