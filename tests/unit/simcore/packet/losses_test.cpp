// SPDX-License-Identifier: MIT
//
// Losses by rules: windows, pairs of hosts, independence, conservation.
#include "simcore/packet/losses.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "simcore/packet/observer.hpp"
#include "tests/support/packet_star.hpp"

namespace losses_test {

using namespace rehearse;
using namespace rehearse::packet;
using rehearse::testing::PacketStar;

namespace {

constexpr Picoseconds microsecond = 1'000'000;

TimeWindow window(Picoseconds from, Picoseconds to) { return {{from}, {to}}; }

// The transmissions of one link that are lost there, by the dates of their starts.
class LostStarts final : public Observer {
 public:
  explicit LostStarts(std::uint32_t link) : link_(link) {}
  void on_transmission(std::uint32_t link, const Packet& packet, Picoseconds start) override {
    if (link == link_ && packet.flags & discarded) starts.insert(start);
  }
  void on_message(std::uint32_t, std::uint64_t, std::uint64_t, bool, const Transfer&) override {}

  std::set<Picoseconds> starts;

 private:
  std::uint32_t link_;
};

// Ten packets of 10 us each cross link 0 from date 0 on.
const char* const ten_microseconds = "transport=raw,header=0,framing=0,mtu=1250,queue=0";

std::set<Picoseconds> lost_starts(const LinkParameters& own) {
  PacketStar star(ten_microseconds, 2, {own});
  LostStarts observer(0);
  star.network().fabric().observe(observer);
  star.add_flow(0, 1, 12'500);
  star.run();
  CHECK(star.lost() == observer.starts.size());
  CHECK(star.network().ends().lost() == observer.starts.size());
  CHECK((star.ends()[0] == no_date) == !observer.starts.empty());
  return observer.starts;
}

LinkParameters with_rule(const LossRule& rule) {
  LinkParameters own;
  own.rules = {rule};
  return own;
}

using Starts = std::set<Picoseconds>;

// The ends of TCP flows in a star where link 3 has a rule; of those that do not cross it, and of those that do.
std::vector<Picoseconds> tcp_ends(const std::string& keys, const std::vector<LossRule>& rules) {
  std::vector<LinkParameters> own(4);
  own[3].rules = rules;
  PacketStar star(keys, 4, own);
  for (std::uint32_t to : {1u, 2u, 3u}) star.add_flow(0, to, 500'000, 100 * microsecond * to);
  star.run();
  return star.ends();
}

}  // namespace

TEST_CASE("losses: a window has the packets that start in it, its first date included and its last one not") {
  CHECK(lost_starts({}).empty());
  const auto lost = [](Picoseconds from, Picoseconds to) { return lost_starts(with_rule({1, 0, window(from, to)})); };
  CHECK(lost(20 * microsecond, 50 * microsecond) == Starts{20 * microsecond, 30 * microsecond, 40 * microsecond});
  CHECK(lost(20 * microsecond + 1, 50 * microsecond + 1) ==
        Starts{30 * microsecond, 40 * microsecond, 50 * microsecond});
  CHECK(lost(20 * microsecond - 1, 20 * microsecond).empty());
  CHECK(lost(20 * microsecond, 20 * microsecond + 1) == Starts{20 * microsecond});
  CHECK(lost(0, 1) == Starts{0});
  CHECK(lost(100 * microsecond, no_date).empty());
}

TEST_CASE("losses: a link loses only in its window, whether a packet or a bit is lost") {
  LinkParameters own;
  own.loss = 1;
  own.loss_window = window(30 * microsecond, 50 * microsecond);
  CHECK(lost_starts(own) == Starts{30 * microsecond, 40 * microsecond});
  own.loss = 0;
  own.error = 1;
  CHECK(lost_starts(own) == Starts{30 * microsecond, 40 * microsecond});
  own.rules = {{1, 0, window(0, 20 * microsecond)}};  // besides
  CHECK(lost_starts(own) == Starts{0, 10 * microsecond, 30 * microsecond, 40 * microsecond});
}

TEST_CASE("losses: rules are independent, so a packet is kept with the product of their probabilities") {
  CHECK(kept_share(0.25, 0, 1500) == 0.75);
  CHECK(kept_share(0, 1e-6, 1250) == Approx(std::exp(-1e-2)).epsilon(1e-6));
  const std::vector<LossRule> rules{{0.5, 0, window(0, 10)}, {0.2, 0, window(5, 20)}};
  CHECK(kept_share(rules, 1500, 4) == 0.5);
  CHECK(kept_share(rules, 1500, 5) == Approx(0.4));
  CHECK(kept_share(rules, 1500, 10) == 0.8);
  CHECK(kept_share(rules, 1500, 20) == 1);

  PacketStar star("transport=raw,queue=0", 2, {with_rule({0.1, 0, {}})});
  star.add_flow(0, 1, 1500 * 20'000);
  star.run();
  CHECK(static_cast<double>(star.lost()) == Approx(2000).margin(4 * 42.4));  // four standard deviations
}

TEST_CASE("losses: a rule that applies to no packet changes no date, and one changes only the flows on its link") {
  const std::vector<Picoseconds> without = tcp_ends("loss=0.003", {});
  CHECK(without == tcp_ends("loss=0.003", {{1, 0, window(no_date - 2, no_date - 1)}}));
  CHECK(without == tcp_ends("loss=0.003", {{0, 0, {}}}));
  CHECK(tcp_ends("", {}) == tcp_ends("", {{0, 0, {}}}));
  const std::vector<Picoseconds> lossy = tcp_ends("", {{0.02, 0, {}}});
  CHECK(lossy[0] > tcp_ends("", {})[0]);
  CHECK(lossy == tcp_ends("", {{0.02, 0, {}}}));
  CHECK(lossy != tcp_ends("seed=2", {{0.02, 0, {}}}));
}

TEST_CASE("losses: a rule of two hosts has the packets from the first to the second, at their last link") {
  const auto run = [](std::uint32_t from, std::uint32_t to) {
    PacketStar star("transport=raw", 3);
    star.lose_between(0, 1, {1, 0, window(0, 1'000'000 * microsecond)});
    star.add_flow(from, to, 15'000);
    star.run();
    CHECK(star.lost() == star.network().fabric().link(3).totals.lost);
    return star.lost();
  };
  CHECK(run(0, 1) == 10);
  CHECK(run(1, 0) == 0);
  CHECK(run(0, 2) == 0);
  CHECK(run(2, 1) == 0);
}

TEST_CASE("losses: those between two hosts do not depend on the traffic between others") {
  // The flows to hosts 3 and 5 do not share a link with those between 0 and 1, so that all dates are equal.
  const auto run = [](bool has_others, double loss) {
    PacketStar star("", 6);
    star.lose_between(0, 1, {loss, 0, {}});
    star.lose_between(2, 3, {loss, 0, {}});
    if (has_others)
      for (std::uint32_t i = 0; i < 3; ++i) star.add_flow(2, 3 + 2 * (i % 2), 700'000, i * microsecond);
    star.add_flow(0, 1, 1'000'000);
    star.add_flow(0, 1, 300'000, 50 * microsecond);
    star.run();
    return std::vector<Picoseconds>(star.ends().end() - 2, star.ends().end());
  };
  CHECK(run(false, 0.02) == run(true, 0.02));
  CHECK(run(false, 0.02) != run(false, 0));
  CHECK(run(false, 0.02)[0] != no_date);
}

TEST_CASE("losses: a number of a path that is used again does not keep the rule of the earlier path") {
  PairLosses losses(1);
  losses.add({1}, {2}, {1, 0, {}});
  losses.open(0, {1}, {2});
  CHECK(losses.is_lost(0, 1500, 0));
  losses.open(0, {2}, {1});
  CHECK_FALSE(losses.is_lost(0, 1500, 0));
  CHECK_FALSE(losses.is_lost(7, 1500, 0));  // never opened
}

TEST_CASE("losses: each packet has arrived, was lost, or is on the way, at every date") {
  for (const char* keys : {"", "transport=window,window=64KiB", "transport=rdma,min_rto=1ms", "streams=4",
                           "transport=tcp,lossless=credit", "transport=raw,lossless=pfc"}) {
    INFO(keys);
    PacketStar star(keys, 4, std::vector<LinkParameters>(8, with_rule({0.05, 0, window(0, 3000 * microsecond)})));
    star.lose_between(0, 1, {0.1, 0, {}});
    star.lose_between(1, 0, {0.1, 0, {}});
    for (std::uint32_t i = 0; i < 4; ++i) star.add_flow(i, (i + 1) % 4, 200'000, i * microsecond);
    bool holds = true;
    star.run([&] { holds = holds && star.is_conserved(); });
    CHECK(holds);
    CHECK(star.network().fabric().packets_inside() == 0);
    CHECK(star.lost() > 0);
    if (std::string(keys).find("raw") == std::string::npos) CHECK(std::ranges::count(star.ends(), no_date) == 0);
  }
}

}  // namespace losses_test
