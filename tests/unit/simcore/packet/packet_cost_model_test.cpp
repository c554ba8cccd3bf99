// SPDX-License-Identifier: MIT
//
// The cost model of packets: transfers from start to end, what changes them, and what it refuses.
#include "simcore/packet/packet_cost_model.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>

#include "simcore/platform_builder.hpp"
#include "simcore/support/random.hpp"

namespace packet_cost_model_test {

using namespace rehearse;

namespace {

// Hosts a and b behind one switch, 1 Gbit/s and 10 us each; host c behind a fatpipe link.
Platform line(const std::string& property = "", LinkPolicy policy = LinkPolicy::split_duplex) {
  PlatformBuilder builder;
  const PointId zone = builder.add_zone(builder.world(), "net", ZoneRouting::full);
  const PointId a = builder.add_host(zone, {"a", {1e9}}), b = builder.add_host(zone, {"b", {1e9}});
  const PointId c = builder.add_host(zone, {"c", {1e9}});
  LinkDescription first{"first", 1.25e8, 1e-5, policy};
  if (policy == LinkPolicy::wifi) first.wifi_rates = {1e6};
  if (!property.empty()) first.properties["packet"] = property;
  const LinkHandle one = builder.add_link(first);
  const LinkHandle two = builder.add_link({"second", 1.25e8, 1e-5, LinkPolicy::split_duplex});
  const LinkHandle pipe = builder.add_link({"pipe", 1.25e8, 1e-5, LinkPolicy::fatpipe});
  const Direction up = policy == LinkPolicy::split_duplex ? Direction::up : Direction::none;
  builder.add_route(zone, {a, b, {{one, up}, {two, Direction::down}}});
  builder.add_route(zone, {a, c, {{one, up}, {pipe}}});
  builder.add_route(zone, {c, b, {{pipe}, {two, Direction::down}}});
  return std::move(builder.finish("line").value());
}

std::unique_ptr<CostModel> model(const Platform& platform, const std::string& keys) {
  ModelOptions options;
  options.network = "packet";
  options.packet = keys;
  auto made = make_cost_model(options, platform);
  if (!made) FAIL(made.error().text);
  return std::move(made.value());
}

std::string refusal(const Platform& platform, const std::string& keys) {
  ModelOptions options;
  options.network = "packet";
  options.packet = keys;
  auto made = make_cost_model(options, platform);
  return made ? "accepted" : made.error().text;
}

HostId host(const Platform& platform, const char* name) { return platform.find_host(name).value(); }
TimePoint at(double seconds) { return TimePoint{} + Duration::from_seconds(seconds); }

// The ends of all activities, in seconds; negative: failed.
std::map<std::uint32_t, double> run(CostModel& costs) {
  std::map<std::uint32_t, double> ends;
  std::vector<Ended> ended;
  while (costs.is_busy()) {
    const TimePoint date = costs.next_end(CostModel::never);
    if (date == CostModel::never) return ends;
    ended.clear();
    costs.advance(date, ended);
    for (const Ended& end : ended) ends[end.activity.value] = end.failed ? -date.seconds() : date.seconds();
  }
  return ends;
}

void advance(CostModel& costs, TimePoint date) {
  std::vector<Ended> ended;
  CHECK(costs.next_end(date) > date);
  costs.advance(date, ended);
  CHECK(ended.empty());
}

const char* const raw = "transport=raw,header=0,framing=0,queue=0";
constexpr double tx = 1500 / 1.25e8;

}  // namespace

TEST_CASE("packet model: a message takes its packets, store and forward, whichever way dates are asked for") {
  const Platform platform = line();
  for (const bool step_by_step : {false, true}) {
    const auto costs = model(platform, raw);
    costs->start(Transfer{host(platform, "a"), host(platform, "b"), 150'000}, {});
    std::vector<Ended> ended;
    TimePoint date;
    while (ended.empty()) {
      date = step_by_step ? costs->next_date() : costs->next_end(CostModel::never);
      costs->advance(date, ended);
    }
    CHECK(date.seconds() == Approx(101 * tx + 2e-5).epsilon(1e-12));
    CHECK_FALSE(costs->is_busy());
  }
}

TEST_CASE("packet model: computations and loopbacks go on beside packets, in order") {
  const Platform platform = line();
  const auto costs = model(platform, raw);
  const auto transfer = costs->start(Transfer{host(platform, "a"), host(platform, "b"), 150'000}, {}).value();
  const auto computation = costs->start(Computation{host(platform, "a"), 1e6}, {});
  const auto loopback = costs->start(Transfer{host(platform, "a"), host(platform, "a"), 1e6}, {}).value();
  CHECK(std::set<std::uint32_t>{transfer.value, computation.value, loopback.value}.size() == 3);
  const auto ends = run(*costs);
  CHECK(ends.at(transfer.value) == Approx(101 * tx + 2e-5).epsilon(1e-12));
  CHECK(ends.at(computation.value) == Approx(1e-3));
  CHECK(ends.at(loopback.value) > 0);
}

TEST_CASE("packet model: each flow has a fatpipe link for itself") {
  const Platform platform = line();
  const auto costs = model(platform, raw);
  // Both leave c through its pipe; they share the second link only.
  for (int i = 0; i < 2; ++i) costs->start(Transfer{host(platform, "c"), host(platform, "b"), 150'000}, {});
  double last = 0;
  for (const auto& [activity, end] : run(*costs)) last = std::max(last, end);
  CHECK(last == Approx(201 * tx + 2e-5).epsilon(1e-9));
}

TEST_CASE("packet model: a cancelled transfer does not end, and its waiting packets are not sent") {
  const Platform platform = line();
  const auto costs = model(platform, raw);
  const auto first = costs->start(Transfer{host(platform, "a"), host(platform, "b"), 1'500'000}, {}).value();
  const auto second = costs->start(Transfer{host(platform, "a"), host(platform, "b"), 150'000}, {}).value();
  advance(*costs, at(50.5 * tx));
  costs->cancel(first, at(50.5 * tx));
  const auto ends = run(*costs);
  CHECK(ends.size() == 1);
  // 51 packets had left in turns, 25 or 26 of them of the second.
  CHECK(ends.at(second.value) == Approx((51 + 75 + 1) * tx + 2e-5).margin(1.01 * tx));
}

TEST_CASE("packet model: a suspended transfer hands over nothing, and what remains is counted") {
  const Platform platform = line();
  const auto costs = model(platform, raw);
  const auto transfer = costs->start(Transfer{host(platform, "a"), host(platform, "b"), 150'000}, {}).value();
  advance(*costs, at(50.5 * tx));
  costs->suspend(transfer, at(50.5 * tx));
  CHECK(costs->limit(transfer, at(50.5 * tx)).kind == LimitKind::suspended);
  advance(*costs, at(1));
  CHECK(costs->remaining(transfer, at(1)) == 49 * 1500);
  costs->resume(transfer, at(1));
  const auto ends = run(*costs);
  CHECK(ends.at(transfer.value) == Approx(1 + 50 * tx + 2e-5).epsilon(1e-9));
}

TEST_CASE("packet model: packets that start later have the new bandwidth and latency") {
  const Platform platform = line();
  const auto costs = model(platform, raw);
  const auto transfer = costs->start(Transfer{host(platform, "a"), host(platform, "b"), 150'000}, {}).value();
  const LinkId first = platform.find_link("first_UP").value(), second = platform.find_link("second_DOWN").value();
  advance(*costs, at(49.5 * tx));  // the 50th packet is being sent
  costs->set_bandwidth(first, 1.25e7, at(49.5 * tx));
  costs->set_latency(second, 1e-3, at(49.5 * tx));
  const auto ends = run(*costs);
  CHECK(ends.at(transfer.value) == Approx(50 * tx + 50 * 10 * tx + tx + 1e-5 + 1e-3).epsilon(1e-9));
}

TEST_CASE("packet model: a queue drains at the new bandwidth") {
  const Platform platform = line();
  const auto costs = model(platform, raw);
  const LinkId second = platform.find_link("second_DOWN").value();
  costs->set_bandwidth(second, 1.25e7, {});
  const auto transfer = costs->start(Transfer{host(platform, "a"), host(platform, "b"), 150'000}, {}).value();
  // All have arrived at the switch by then; the second link has sent 20 and is in the middle of the 21st.
  const double then = tx + 1e-5 + 20.5 * 10 * tx;
  advance(*costs, at(then));
  costs->set_bandwidth(second, 1.25e8, at(then));
  const auto ends = run(*costs);
  CHECK(ends.at(transfer.value) == Approx(tx + 1e-5 + 21 * 10 * tx + 79 * tx + 1e-5).epsilon(1e-9));
}

TEST_CASE("packet model: a link or host that goes off fails the transfers that use it") {
  const Platform platform = line();
  for (const bool by_host : {false, true}) {
    const auto costs = model(platform, "");
    const auto lost = costs->start(Transfer{host(platform, "a"), host(platform, "b"), 1e6}, {}).value();
    const auto other = costs->start(Transfer{host(platform, "c"), host(platform, "b"), 1e6}, {}).value();
    advance(*costs, at(1e-3));
    if (by_host) costs->set_host_on(host(platform, "a"), false, at(1e-3));
    else costs->set_link_on(platform.find_link("first_UP").value(), false, at(1e-3));
    const auto late = costs->start(Transfer{host(platform, "a"), host(platform, "b"), 1}, at(1e-3)).value();
    const auto ends = run(*costs);
    CHECK(ends.at(lost.value) == Approx(-1e-3));
    CHECK(ends.at(late.value) == Approx(-1e-3));
    CHECK(ends.at(other.value) > 0);
    if (by_host) costs->set_host_on(host(platform, "a"), true, at(1));
    else costs->set_link_on(platform.find_link("first_UP").value(), true, at(1));
    const auto again = costs->start(Transfer{host(platform, "a"), host(platform, "b"), 1}, at(1)).value();
    CHECK(run(*costs).at(again.value) > 1);
  }
}

TEST_CASE("packet model: a connection of ranks opens once, and its window stays open") {
  const Platform platform = line();
  const auto costs = model(platform, "");
  Transfer transfer{host(platform, "a"), host(platform, "b"), 1};
  transfer.connection = 7;
  const auto first = costs->start(transfer, {}).value();
  const double end = run(*costs).at(first.value);
  const auto second = costs->start(transfer, at(1)).value();
  const double later = run(*costs).at(second.value) - 1;
  // SYN and SYN-ACK of 90 bytes over two links each.
  CHECK(end - later == Approx(2 * (2e-5 + 2 * 90 / 1.25e8) + 90 / 1.25e8).epsilon(0.02));
}

TEST_CASE("packet model: a property of a link sets its queue and losses") {
  const Platform platform = line("queue_packets=1,loss=1");
  const auto costs = model(platform, raw);
  const auto lost = costs->start(Transfer{host(platform, "a"), host(platform, "b"), 15'000}, {}).value();
  CHECK(run(*costs).at(lost.value) < 0);
  CHECK(costs->packets()->links().front().losses == 10);
  CHECK(costs->packets()->flow(lost).drops == 10);
}

TEST_CASE("packet model: the totals count all connections, also those that no longer exist") {
  const Platform platform = line("queue=0,loss=0.02");
  const auto costs = model(platform, "connect=0,connections=message,seed=3");
  PacketFlow sum;
  for (int message = 0; message < 5; ++message) {
    const Transfer transfer{host(platform, "a"), host(platform, "b"), 300'000};
    const TimePoint now = at(100.0 * message);
    advance(*costs, now);
    const ActivityId activity = costs->start(transfer, now).value();
    run(*costs);
    const PacketFlow flow = costs->packets()->flow(activity);
    sum.retransmissions += flow.retransmissions;
    sum.timeouts += flow.timeouts;
    sum.drops += flow.drops;
  }
  const PacketTotals totals = costs->packets()->totals();
  CHECK(sum.retransmissions > 0);
  CHECK(totals.retransmissions == sum.retransmissions);
  CHECK(totals.timeouts == sum.timeouts);
  CHECK(totals.drops + totals.losses >= sum.drops);  // acknowledgements that are lost after the last byte has arrived
}

TEST_CASE("packet model: bad keys, impossible buffers and links without packets are refused by name") {
  const Platform platform = line();
  const auto contains = [](const std::string& text) { return Catch::Matchers::Contains(text); };
  CHECK_THAT(refusal(platform, "colour=red"), contains("--packet: unknown key 'colour'; accepted: transport, mtu"));
  CHECK_THAT(refusal(platform, "transport=udp"), contains("transport: 'udp' given; accepted: tcp, window, raw, rdma"));
  CHECK_THAT(refusal(platform, "mtu"), contains("'mtu' given; accepted: KEY=VALUE"));
  CHECK_THAT(refusal(platform, "mtu=50"), contains("mtu=50 given with a header of 52 bytes"));
  CHECK_THAT(refusal(platform, "queue=1000"), contains("queue=1000 given, less than a packet; accepted: 1538 or more"));
  CHECK_THAT(refusal(platform, "lossless=credit,buffer=1000"), contains("buffer=1000 given, less than a packet"));
  CHECK_THAT(refusal(platform, "lossless=pfc,xoff=10kB,xon=20kB"), contains("xon=20000 given, more than xoff"));
  CHECK_THAT(refusal(platform, "loss=2"), contains("loss: '2' given; accepted: a probability"));
  CHECK_THAT(refusal(platform, "congestion=dcqcn"), contains("accepted with transport=rdma only"));
  CHECK_THAT(refusal(platform, "transport=raw,congestion=reno"), contains("congestion given; accepted with"));
  CHECK_THAT(refusal(line("speed=3"), ""), contains("link 'first_UP': property packet: unknown key 'speed'"));
  CHECK_THAT(refusal(line("queue=9"), ""), contains("property packet: queue=9 given, less than a packet"));
  ModelOptions options;
  options.packet = "mtu=9000";
  CHECK_THAT(make_cost_model(options, platform).error().text, contains("accepted: packet"));
}

TEST_CASE("packet model: equal routes of a fat tree are used evenly, one by each connection") {
  const auto platform = make_platform("fat-tree:2;8,8;1,8;1,1");
  if (!platform) FAIL(platform.error().text);
  std::map<std::uint32_t, int> uses;
  SplitMix random(1);
  for (int i = 0; i < 1000; ++i) {
    Route route;
    route.choice = random.next() | 1;
    REQUIRE(platform.value().find_route(HostId{0}, HostId{63}, route));
    Route same = route;
    REQUIRE(platform.value().find_route(HostId{0}, HostId{63}, same));
    CHECK(same.links == route.links);
    for (const LinkId link : route.links) ++uses[link.value];
  }
  int shared = 0, spread = 0;
  for (const auto& [link, count] : uses) {
    if (count == 1000) ++shared;
    else if (std::abs(count - 125) <= 0.25 * 125) ++spread;
  }
  CHECK(shared == 2);
  CHECK(spread == 16);
}

}  // namespace packet_cost_model_test
