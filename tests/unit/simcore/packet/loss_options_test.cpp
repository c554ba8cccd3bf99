// SPDX-License-Identifier: MIT
//
// --packet-loss: its text, its hosts and links, and its effect in the cost model.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "simcore/cost_model.hpp"
#include "simcore/packet_loss.hpp"
#include "simcore/packet_relay.hpp"
#include "simcore/platform_builder.hpp"

namespace loss_options_test {

using namespace rehearse;

namespace {

auto contains(const std::string& text) { return Catch::Matchers::Contains(text); }

std::string loss_refusal(const std::string& text) {
  auto parsed = parse_packet_loss(text);
  return parsed ? "accepted" : parsed.error().text;
}

// Hosts a, a-b, b-c and c; a full-duplex link and a fatpipe link between them.
Platform dashes(const std::string& property = "") {
  PlatformBuilder builder;
  const PointId zone = builder.add_zone(builder.world(), "net", ZoneRouting::full);
  std::vector<PointId> hosts;
  for (const char* name : {"a", "a-b", "b-c", "c"}) hosts.push_back(builder.add_host(zone, {name, {1e9}}));
  LinkDescription cable{"cable", 1.25e8, 1e-5, LinkPolicy::split_duplex};
  if (!property.empty()) cable.properties["packet"] = property;
  const LinkHandle first = builder.add_link(cable);
  const LinkHandle pipe = builder.add_link({"pipe", 1.25e8, 1e-5, LinkPolicy::fatpipe});
  builder.add_route(zone, {hosts[0], hosts[1], {{first, Direction::up}}});
  builder.add_route(zone, {hosts[0], hosts[2], {{first, Direction::up}, {pipe}}});
  builder.add_route(zone, {hosts[0], hosts[3], {{pipe}}});
  builder.add_route(zone, {hosts[1], hosts[3], {{pipe}}});
  return std::move(builder.finish("dashes").value());
}

ModelOptions with_losses(const std::vector<std::string>& losses, const std::string& network = "packet") {
  ModelOptions options;
  options.network = network;
  if (network == "packet") options.packet = "transport=raw,header=0,framing=0,mtu=1250,queue=0";
  for (const std::string& text : losses) options.packet_losses.push_back(parse_packet_loss(text).value());
  return options;
}

std::string model_refusal(const std::vector<std::string>& losses, const std::string& network = "packet") {
  const Platform platform = dashes();
  auto made = make_cost_model(with_losses(losses, network), platform);
  return made ? "accepted" : made.error().text;
}

struct Sent {
  bool has_failed = false;
  std::uint64_t losses = 0;  // of all links
};

// 100 packets of 10 us each from one host to another.
Sent send(const Platform& platform, const ModelOptions& options, const char* from, const char* to) {
  auto made = make_cost_model(options, platform);
  if (!made) FAIL(made.error().text);
  CostModel& costs = *made.value();
  REQUIRE(costs.start(Transfer{*platform.find_host(from), *platform.find_host(to), 125'000}, {}));
  std::vector<Ended> ended;
  while (ended.empty()) costs.advance(costs.next_end(CostModel::never), ended);
  Sent sent{ended[0].failed, costs.packets()->totals().losses};
  std::uint64_t by_links = 0;
  for (const PacketLink& link : costs.packets()->links()) by_links += link.losses;
  CHECK(by_links == sent.losses);
  return sent;
}

}  // namespace

TEST_CASE("loss options: hosts or links, a probability, and perhaps a window") {
  const PacketLoss hosts = parse_packet_loss("node-0-node-1=0.25").value();
  CHECK(hosts.hosts == "node-0-node-1");
  CHECK(hosts.links.empty());
  CHECK(hosts.probability == 0.25);
  CHECK(hosts.window.contains({0}));
  CHECK(hosts.window.contains({std::int64_t{1} << 62}));
  const PacketLoss links = parse_packet_loss("links:^x=[0-9]=1e-3@1.5:2500ms").value();
  CHECK(links.links == "^x=[0-9]");
  CHECK(links.probability == 1e-3);
  CHECK(links.window.from == TimePoint{1'500'000'000'000});
  CHECK(links.window.to == TimePoint{2'500'000'000'000});

  for (const char* text : {"", "a", "a-b", "=1", "ab=0.1", "links:=0.1"})
    CHECK_THAT(loss_refusal(text), contains("accepted: HOST-HOST=PROBABILITY or links:REGEX=PROBABILITY"));
  for (const char* value : {"", "x", "-0.1", "1.5", "nan", "0.1x"})
    CHECK_THAT(loss_refusal(std::string("a-b=") + value), contains("is no probability from 0 to 1"));
  CHECK_THAT(loss_refusal("links:(=0.1"), contains("regular expression"));
  for (const char* window : {"", "1", "1:", ":1", "2:1", "1:1", "-1:2", "1:x", "1:1e300"})
    CHECK_THAT(loss_refusal(std::string("a-b=1@") + window), contains("accepted: FROM:TO in seconds"));
}

TEST_CASE("loss options: hosts with dashes are told apart") {
  const Platform platform = dashes();
  CHECK(send(platform, with_losses({"a-a-b=1"}), "a", "a-b").losses == 100);
  CHECK(send(platform, with_losses({"a-a-b=1"}), "a-b", "a").losses == 0);
  CHECK_THAT(model_refusal({"a-b-c=1"}), contains("several pairs of hosts have these names; accepted: links:REGEX"));
  CHECK_THAT(model_refusal({"a-x=1"}),
             contains("--packet-loss: 'a-x=1': 'a-x' is no pair of hosts of platform dashes"));
  CHECK_THAT(model_refusal({"a-b-a-b=1"}), contains("both hosts are the same"));
  CHECK_THAT(model_refusal({"links:none=1"}), contains("no link of platform dashes matches"));
}

TEST_CASE("loss options: other network models refuse them by name") {
  CHECK_THAT(model_refusal({"links:cable=1"}, "lv08"), contains("--packet-loss: given with network model 'lv08'"));
  CHECK_THAT(model_refusal({"links:cable=1"}, "ns3"), contains("--packet-loss: given with network model 'ns3'"));
  const auto of_property = [](const std::string& property) {
    ModelOptions options;
    options.network = "ns3";
    const Platform platform = dashes(property);
    auto made = make_cost_model(options, platform);
    return made ? "accepted" : made.error().text;
  };
  CHECK_THAT(of_property("jitter=1ms"), contains("link 'cable_UP': property packet: key 'jitter' given"));
  CHECK_THAT(of_property("loss=1,loss_window=1:2"), contains("key 'loss_window' given; network model ns3 accepts"));
}

TEST_CASE("loss options: links lose in their windows, FATPIPE links, too") {
  const Platform platform = dashes();
  CHECK(send(platform, with_losses({"links:cable_UP=1@200us:400us"}), "a", "a-b").losses == 20);
  CHECK(send(platform, with_losses({"links:cable_DOWN=1"}), "a", "a-b").losses == 0);
  CHECK(send(platform, with_losses({"links:pipe=1@0:10us", "links:p=1@990us:1"}), "a", "c").losses == 2);
  CHECK(send(platform, with_losses({"a-c=1@0:15us"}), "a", "c").losses == 2);
  const Sent some = send(platform, with_losses({"links:.=0.3"}), "a", "b-c");
  CHECK(some.has_failed);
  CHECK(some.losses > 20);
  CHECK_FALSE(send(platform, with_losses({}), "a", "b-c").has_failed);
}

TEST_CASE("loss options: packets from outside are lost between hosts, and on links with jitter they overtake") {
  const Platform platform = dashes();
  ModelOptions options = with_losses({"a-c=1@0:30us", "a-a-b=1"});
  options.packet += ",jitter=50us";
  const auto costs = std::move(make_cost_model(options, platform).value());
  PacketRelay& relay = *costs->relay();
  const auto path = relay.open(*platform.find_host("a"), *platform.find_host("c"), 1, {});
  const auto other = relay.open(*platform.find_host("a"), *platform.find_host("b-c"), 1, {});
  for (std::uint64_t i = 0; i < 20; ++i) relay.send(*path, i, 1250, {});
  relay.send(*other, 20, 1250, {});
  const TimePoint late = TimePoint{} + Duration::from_seconds(1);
  std::vector<Ended> ended;
  costs->advance(late, ended);
  std::set<std::uint64_t> lost;
  std::vector<std::uint64_t> order;
  for (const RelayedPacket& packet : relay.take()) {
    order.push_back(packet.number);
    if (packet.is_lost) lost.insert(packet.number);
  }
  CHECK(order.size() == 21);
  CHECK(lost == std::set<std::uint64_t>{0, 1, 2});
  CHECK_FALSE(std::ranges::is_sorted(order));
}

TEST_CASE("loss options: the property of a link has a window, too") {
  const Platform platform = dashes("loss=1,loss_window=200us:400us");
  CHECK(send(platform, with_losses({}), "a", "a-b").losses == 20);
  CHECK(send(platform, with_losses({"links:cable=1@0:100us"}), "a", "a-b").losses == 30);
  ModelOptions options = with_losses({});
  const Platform without = dashes("loss_window=1:2");
  CHECK_THAT(make_cost_model(options, without).error().text, contains("loss_window given without a loss"));
  const Platform wrong = dashes("loss=1,loss_window=2:1");
  CHECK_THAT(make_cost_model(options, wrong).error().text,
             contains("property packet: loss_window: window '2:1' given; accepted: FROM:TO"));
  options.packet += ",loss=1";
  CHECK(send(without, options, "a", "a-b").losses == 0);  // the whole transfer is over at 1 s
}

}  // namespace loss_options_test
