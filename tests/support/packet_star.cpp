// SPDX-License-Identifier: MIT
//
// See packet_star.hpp.
#include "tests/support/packet_star.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

namespace rehearse::testing {

using packet::no_date;
using packet::Picoseconds;

packet::Parameters packet_keys(const std::string& text) {
  auto parsed = packet::parse_parameters(text);
  if (!parsed) FAIL(parsed.error().text);
  return parsed.value();
}

PacketStar::PacketStar(const std::string& keys, std::uint32_t hosts, const std::vector<packet::LinkParameters>& own)
    : network_(packet_keys(keys)), pairs_(network_.parameters().seed) {
  for (std::uint32_t i = 0; i < 2 * hosts; ++i)
    network_.fabric().add({i, bytes_per_second, latency, true, i < own.size() ? own[i] : packet::LinkParameters{}});
}

void PacketStar::add_flow(std::uint32_t from, std::uint32_t to, std::uint64_t bytes, Picoseconds start) {
  flows_.push_back({from, to, bytes, start});
}

void PacketStar::lose_between(std::uint32_t from, std::uint32_t to, const packet::LossRule& rule) {
  pairs_.add({from}, {to}, rule);
}

void PacketStar::run(const std::function<void()>& check) {
  if (!pairs_.empty()) network_.fabric().lose_between(pairs_);
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < flows_.size(); ++i) order.push_back(i);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return flows_[i].start; });
  ends_.assign(flows_.size(), no_date);
  for (const std::uint32_t i : order) {
    const StarFlow& flow = flows_[i];
    go_on(flow.start, check);
    const std::vector<std::uint32_t> forward{2 * flow.from, 2 * flow.to + 1}, back{2 * flow.to, 2 * flow.from + 1};
    const std::uint32_t connection = network_.ends().open(forward, back, true);
    pairs_.open(2 * connection, {flow.from}, {flow.to});
    pairs_.open(2 * connection + 1, {flow.to}, {flow.from});
    network_.ends().send(connection, flow.bytes, i, flow.start);
  }
  go_on(no_date - 1, check);
}

void PacketStar::go_on(Picoseconds limit, const std::function<void()>& check) {
  for (Picoseconds next; (next = network_.next_date()) <= limit && next != no_date;) {
    const Picoseconds date = network_.run_until(check ? next : limit);
    for (const packet::Completion& completion : network_.ends().completions())
      if (!completion.has_failed) ends_[completion.activity] = date;
    network_.ends().completions().clear();
    if (check) check();
  }
}

std::uint64_t PacketStar::lost() const {
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < network_.fabric().link_count(); ++i) sum += network_.fabric().link(i).totals.lost;
  return sum;
}

bool PacketStar::is_conserved() const {
  const packet::Endpoints& ends = network_.ends();
  return ends.sent() - ends.arrived() - ends.lost() == network_.fabric().packets_inside();
}

}  // namespace rehearse::testing
