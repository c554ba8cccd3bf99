// SPDX-License-Identifier: MIT
//
// Flows between hosts around one switch, in a network of packets: link 2 i leads from host i to the switch, link 2 i +
// 1 to the host. All links have 1 Gbit/s and 10 us.
//
// Errors: a test with wrong keys fails.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "simcore/packet/network.hpp"

namespace rehearse::testing {

packet::Parameters packet_keys(const std::string& text);

class PacketStar {
 public:
  static constexpr double bytes_per_second = 1.25e8, latency = 1e-5;

  // `own`: by link, as far as it goes.
  explicit PacketStar(const std::string& keys, std::uint32_t hosts,
                      const std::vector<packet::LinkParameters>& own = {});

  void add_flow(std::uint32_t from, std::uint32_t to, std::uint64_t bytes, packet::Picoseconds start = 0);
  // Before run(): losses between the ends of flows, by numbers of hosts.
  void lose_between(std::uint32_t from, std::uint32_t to, const packet::LossRule& rule);
  // Calls check() after each date with an event if it is set.
  void run(const std::function<void()>& check = {});

  packet::Network& network() { return network_; }
  const std::vector<packet::Picoseconds>& ends() const { return ends_; }  // by flow; no_date: failed or not ended
  std::uint64_t lost() const;                                             // on all links
  std::uint64_t retransmissions() const { return network_.ends().totals().retransmissions; }
  // Whether each packet sent has arrived, was lost, or is on the way.
  bool is_conserved() const;

 private:
  struct StarFlow {
    std::uint32_t from, to;
    std::uint64_t bytes;
    packet::Picoseconds start;
  };
  void go_on(packet::Picoseconds limit, const std::function<void()>& check);

  packet::Network network_;
  packet::PairLosses pairs_;
  std::vector<StarFlow> flows_;
  std::vector<packet::Picoseconds> ends_;
};

}  // namespace rehearse::testing
