// SPDX-License-Identifier: MIT
//
// Times on an empty network against the simulation of packets.
#include "simcore/packet/empty_network.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "simcore/packet/covered_time.hpp"
#include "simcore/packet/network.hpp"
#include "simcore/support/random.hpp"

namespace empty_network_test {

using namespace rehearse;
using namespace rehearse::packet;

TEST_CASE("empty network: the time of a message is that of the simulation without windows") {
  SplitMix random(11);
  for (const std::string keys : {"", ",switching=cut-through", ",switch_delay=300ns", ",lossless=credit,buffer=1MB",
                                 ",switching=cut-through,cut_bytes=2000,switch_delay=1us", ",header=0,framing=0"}) {
    for (int round = 0; round < 40; ++round) {
      const auto parameters = parse_parameters("transport=raw,queue=0" + keys);
      REQUIRE(parameters);
      Network network(parameters.value());
      std::vector<std::uint32_t> path, back;
      const std::uint64_t hops = 1 + random.below(6);
      for (std::uint64_t i = 0; i < hops; ++i) {
        const double speed = 1e6 * static_cast<double>(1 + random.below(1000));
        const double delay = 1e-6 * static_cast<double>(random.below(20));
        path.push_back(network.fabric().add({static_cast<std::uint32_t>(i), speed, delay, true, {}}));
      }
      const std::uint64_t bytes = random.below(round % 2 == 0 ? 3000 : 100'000);
      back.push_back(network.fabric().add({1000, 1e9, 1e-6, true, {}}));
      const Picoseconds expected = empty_network_time(network.fabric(), network.parameters(), path, bytes);
      const std::uint32_t connection = network.ends().open(path, back, false);
      network.ends().send(connection, bytes, 0, 0);
      INFO(keys << " hops " << hops << " bytes " << bytes);
      CHECK(network.run_until(no_date - 1) == expected);
    }
  }
}

TEST_CASE("covered time: overlaps count once") {
  CoveredTime time;
  time.add(0, 10);
  time.add(20, 30);
  CHECK(time.length() == 20);
  time.add(5, 35);
  CHECK(time.length() == 35);
  time.add(40, 50);
  time.add(45, 60);
  CHECK(time.length() == 55);
  time.add(0, 70);
  CHECK(time.length() == 70);
}

}  // namespace empty_network_test
