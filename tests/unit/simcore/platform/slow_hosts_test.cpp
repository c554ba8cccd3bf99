// SPDX-License-Identifier: MIT
//
// Hosts with slower links: which links are theirs, and how they change.
#include "simcore/slow_hosts.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "simcore/cost_model.hpp"
#include "simcore/platform_builder.hpp"

namespace slow_hosts_test {

using namespace rehearse;

namespace {

Platform platform_of(const std::string& name) {
  auto made = make_platform(name);
  if (!made) FAIL(made.error().text);
  return std::move(made.value());
}

HostId host(const Platform& platform, const std::string& name) { return platform.find_host(name).value(); }

std::set<std::string> own_names(const Platform& platform, const std::string& name) {
  std::set<std::string> names;
  for (const LinkId link : own_links(platform, host(platform, name))) names.insert(platform.link(link).name);
  return names;
}

Platform slowed(Platform platform, const std::vector<std::string>& texts) {
  std::vector<SlowHost> hosts;
  for (const std::string& text : texts) hosts.push_back(parse_slow_host(text).value());
  auto made = slow_down(std::move(platform), hosts);
  if (!made) FAIL(made.error().text);
  return std::move(made.value());
}

std::string slow_down_refusal(Platform platform, const std::string& text) {
  const std::vector<SlowHost> hosts{parse_slow_host(text).value()};
  auto made = slow_down(std::move(platform), hosts);
  return made ? "accepted" : made.error().text;
}

std::string parse_refusal(const std::string& text) {
  auto parsed = parse_slow_host(text);
  return parsed ? "accepted" : parsed.error().text;
}

const Link& link_of(const Platform& platform, const std::string& name) {
  return platform.link(platform.find_link(name).value());
}

double end_of_transfer(const Platform& platform, const std::string& network, HostId from, HostId to) {
  ModelOptions options;
  options.network = network;
  auto costs = make_cost_model(options, platform);
  if (!costs) FAIL(costs.error().text);
  CostModel& model = *costs.value();
  REQUIRE(model.start(Transfer{from, to, 1e6}, {}));
  std::vector<Ended> ended;
  while (ended.empty()) {
    const TimePoint date = model.next_end(CostModel::never);
    model.advance(date, ended);
    if (!ended.empty()) return date.seconds();
  }
  return -1;
}

auto contains(const std::string& text) { return Catch::Matchers::Contains(text); }

// Hosts a, b and c, each pair with a link of its own.
Platform mesh(const std::shared_ptr<const Profile>& profile = nullptr) {
  PlatformBuilder builder;
  const PointId zone = builder.add_zone(builder.world(), "net", ZoneRouting::full);
  const PointId a = builder.add_host(zone, {"a", {1e9}}), b = builder.add_host(zone, {"b", {1e9}});
  const PointId c = builder.add_host(zone, {"c", {1e9}});
  const LinkHandle ab = builder.add_link({"ab", 1e6, 1e-3, LinkPolicy::shared});
  const LinkHandle ac = builder.add_link({"ac", 1e6, 1e-3, LinkPolicy::shared});
  const LinkHandle bc = builder.add_link({"bc", 1e6, 1e-3, LinkPolicy::shared});
  if (profile)
    for (const LinkHandle link : {ab, ac, bc}) {
      builder.set_bandwidth_profile(link, profile);
      builder.set_latency_profile(link, profile);
    }
  builder.add_route(zone, {a, b, {{ab}}});
  builder.add_route(zone, {a, c, {{ac}}});
  builder.add_route(zone, {b, c, {{bc}}});
  return std::move(builder.finish("mesh").value());
}

}  // namespace

TEST_CASE("slow hosts: own links are first and last links that no route of others crosses") {
  using Names = std::set<std::string>;
  CHECK(own_names(platform_of("crossbar:4"), "node-1") == Names{"cluster_link_1_UP", "cluster_link_1_DOWN"});
  CHECK(own_names(platform_of("cluster:4"), "node-3") == Names{"cluster_link_3_UP", "cluster_link_3_DOWN"});
  CHECK(own_names(mesh(), "a") == Names{"ab", "ac"});
  CHECK(own_names(platform_of("torus:5x5"), "node-5").empty());
  for (const char* name : {"node-0", "node-1", "node-4321", "node-7999"})
    CHECK(own_names(platform_of("torus:20x20x20"), name).empty());
  CHECK(own_names(platform_of("fat-tree:2;4,4;1,2;1,1"), "node-7").size() == 2);
  CHECK(own_names(platform_of("fat-tree:2;4,4;2,2;2,1"), "node-7").size() == 8);  // four cables, both directions
  CHECK(own_names(platform_of("cluster:5000"), "node-4321") == Names{"cluster_link_4321_UP", "cluster_link_4321_DOWN"});
}

TEST_CASE("slow hosts: only the own links change, by factors or by an added latency") {
  const Platform before = platform_of("crossbar:4");
  const Platform after = slowed(platform_of("crossbar:4"), {"node-1=bandwidth:0.1,latency:+1ms", "node-2=latency:3"});
  const Link& was = link_of(before, "cluster_link_1_UP");
  for (const char* name : {"cluster_link_1_UP", "cluster_link_1_DOWN"}) {
    CHECK(link_of(after, name).bytes_per_second == Approx(was.bytes_per_second * 0.1));
    CHECK(link_of(after, name).latency_seconds == Approx(was.latency_seconds + 1e-3));
    CHECK(link_of(after, name).sharing == was.sharing);
  }
  CHECK(link_of(after, "cluster_link_2_UP").latency_seconds == Approx(3 * was.latency_seconds));
  CHECK(link_of(after, "cluster_link_2_UP").bytes_per_second == was.bytes_per_second);
  for (const char* name : {"cluster_link_0_UP", "cluster_link_3_DOWN"}) {
    CHECK(link_of(after, name).bytes_per_second == was.bytes_per_second);
    CHECK(link_of(after, name).latency_seconds == was.latency_seconds);
  }
  CHECK(after.name() == before.name());
  const auto route = after.find_route(host(after, "node-1"), host(after, "node-2"));
  REQUIRE(route);
  CHECK(route->latency_seconds == Approx(was.latency_seconds + 1e-3 + 3 * was.latency_seconds));
}

TEST_CASE("slow hosts: a host that is named twice has both changes, and a link of two hosts those of both") {
  const Platform twice = slowed(mesh(), {"a=bandwidth:0.5", "a=bandwidth:0.5,latency:+1ms"});
  CHECK(link_of(twice, "ab").bytes_per_second == Approx(0.25e6));
  CHECK(link_of(twice, "bc").bytes_per_second == 1e6);
  const Platform both = slowed(mesh(), {"a=bandwidth:0.5", "b=bandwidth:0.2"});
  CHECK(link_of(both, "ab").bytes_per_second == Approx(0.1e6));
  CHECK(link_of(both, "ac").bytes_per_second == Approx(0.5e6));
  CHECK(link_of(both, "bc").bytes_per_second == Approx(0.2e6));
}

TEST_CASE("slow hosts: every network model with links takes them as they are") {
  const Platform before = platform_of("crossbar:4");
  const Platform after = slowed(platform_of("crossbar:4"), {"node-1=bandwidth:0.1,latency:+10ms"});
  for (const char* network : {"raw", "lv08", "cm02", "smpi", "loggps", "ptask", "last_mile", "packet"}) {
    INFO(network);
    CHECK(end_of_transfer(after, network, {0}, {2}) == end_of_transfer(before, network, {0}, {2}));
    CHECK(end_of_transfer(after, network, {1}, {2}) > 5 * end_of_transfer(before, network, {1}, {2}));
    CHECK(end_of_transfer(after, network, {2}, {1}) > 5 * end_of_transfer(before, network, {2}, {1}));
  }
  const double latency = link_of(before, "cluster_link_1_UP").latency_seconds;
  CHECK(end_of_transfer(after, "raw", {1}, {2}) ==
        Approx(2 * latency + 0.01 + 1e6 / (0.1 * link_of(before, "cluster_link_1_UP").bytes_per_second)));
}

TEST_CASE("slow hosts: profiles of points change with their links, those of other links do not") {
  const auto profile = std::make_shared<const Profile>(std::vector<ProfilePoint>{{1, 2e6}, {2, 4e6}}, 5);
  const Platform after = slowed(mesh(profile), {"a=bandwidth:0.5,latency:2"});
  const auto profile_of = [&](const char* name) { return after.bandwidth_profile(after.find_link(name).value()); };
  for (const char* name : {"ab", "ac"}) {
    CHECK(profile_of(name)->points()[0].value == 1e6);
    CHECK(profile_of(name)->points()[1].value == 2e6);
    CHECK(profile_of(name)->points()[1].date == 2);
    CHECK(profile_of(name)->period() == 5);
    CHECK(after.latency_profile(after.find_link(name).value())->points()[0].value == 4e6);
  }
  CHECK(profile_of("bc")->points()[0].value == 2e6);
  const Platform later = slowed(mesh(profile), {"c=latency:+1ms"});
  CHECK(later.latency_profile(later.find_link("bc").value())->points()[0].value == Approx(2e6 + 1e-3));
  CHECK(later.bandwidth_profile(later.find_link("bc").value())->points()[0].value == 2e6);
}

TEST_CASE("slow hosts: random profiles, unknown hosts and hosts without links of their own are refused") {
  const ProfileLaw one{ProfileLaw::Kind::constant, 1, 0}, any{ProfileLaw::Kind::uniform, 1, 2};
  const auto random = std::make_shared<const Profile>(std::vector<ProfileStep>{{one, any}}, true);
  CHECK_THAT(slow_down_refusal(mesh(random), "a=bandwidth:0.5"), contains("random profile of its bandwidth"));
  CHECK_THAT(slow_down_refusal(mesh(random), "a=latency:+1"), contains("random profile of its latency"));
  CHECK_THAT(slow_down_refusal(mesh(), "d=latency:2"), contains("platform mesh has no host 'd'"));
  CHECK_THAT(slow_down_refusal(platform_of("torus:5x5"), "node-0=latency:2"),
             contains("host 'node-0' has no link of its own; accepted: hosts with a first or last link"));
  CHECK_THAT(slow_down_refusal(platform_of("laptop"), "laptop=latency:2"), contains("has no link of its own"));
}

TEST_CASE("slow hosts: the text names the value and what is accepted") {
  const SlowHost slow = parse_slow_host("a=latency:+2us,bandwidth:0.25").value();
  CHECK(slow.name == "a");
  CHECK(slow.bandwidth_factor == 0.25);
  CHECK(slow.latency_factor == 1);
  CHECK(slow.more_latency_seconds == Approx(2e-6));
  for (const char* text : {"", "a", "=latency:2", "a="})
    CHECK_THAT(parse_refusal(text), contains("accepted: HOST=bandwidth:FACTOR"));
  CHECK_THAT(parse_refusal("a=speed:2"), contains("host 'a': 'speed:2' given; accepted: bandwidth:FACTOR"));
  CHECK_THAT(parse_refusal("a=latency"), contains("'latency' given; accepted"));
  CHECK_THAT(parse_refusal("a=bandwidth:2,"), contains("'' given; accepted"));
  CHECK_THAT(parse_refusal("a=bandwidth:2,bandwidth:3"), contains("bandwidth given twice"));
  for (const char* value : {"0", "-1", "x", "nan", "inf", "1e300", "0.5x", "+1ms", ""})
    CHECK_THAT(parse_refusal(std::string("a=bandwidth:") + value), contains("accepted: a factor from 1e-09 to 1e+09"));
  for (const char* value : {"0", "-1", "x"})
    CHECK_THAT(parse_refusal(std::string("a=latency:") + value), contains("or a time to add such as +1ms"));
  for (const char* value : {"+", "+0", "+-1", "+1parsec", "+1e9"})
    CHECK_THAT(parse_refusal(std::string("a=latency:") + value), contains("accepted: a factor, or + and a time"));
}

}  // namespace slow_hosts_test
