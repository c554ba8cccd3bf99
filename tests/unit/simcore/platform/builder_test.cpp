// SPDX-License-Identifier: MIT
//
// Platforms described in C++, and mistakes that are kept until the end.
#include "simcore/platform_builder.hpp"

#include <catch2/catch.hpp>

#include "tests/support/platform_texts.hpp"

using namespace rehearse;
using rehearse::testing::route_text;

namespace {

Platform finished(PlatformBuilder& builder) {
  auto platform = builder.finish("test");
  if (!platform) FAIL(platform.error().text);
  return std::move(platform.value());
}

ClusterDescription cluster_of(const std::string& name, std::uint32_t leaves) {
  ClusterDescription cluster;
  cluster.name = name;
  cluster.prefix = name + "-";
  for (std::uint32_t i = 0; i < leaves; ++i) cluster.numbers.push_back(i);
  cluster.speeds = {1e9};
  cluster.bytes_per_second = 1e9;
  cluster.latency_seconds = 1e-6;
  return cluster;
}

}  // namespace

TEST_CASE("platform builder: a built platform has its hosts, links, routes, disks, profiles and actors",
          "[simcore][platform]") {
  PlatformBuilder builder;
  const PointId zone = builder.add_zone(builder.world(), "site", ZoneRouting::full);
  const PointId a = builder.add_host(zone, {"a", {1e9, 5e8}, 4, 1});
  const PointId b = builder.add_host(zone, {"b", {1e9}});
  const LinkHandle wire = builder.add_link({"wire", 125e6, 50e-6, LinkPolicy::split_duplex});
  builder.add_route(zone, {a, b, {{wire, Direction::up}}});
  builder.add_disk(a, {"disk", 1e8, 5e7, 1.2e8});
  builder.set_speed_profile(a, std::make_shared<const Profile>(std::vector<ProfilePoint>{{1, 0.5}}));
  builder.add_actor(b, {"worker", {}, {"3"}, {}, 0, {}, false});
  const Platform platform = finished(builder);
  CHECK(route_text(platform, "a", "b") == "wire_UP");
  CHECK(route_text(platform, "b", "a") == "wire_DOWN");
  CHECK(platform.hosts()[0].flops_per_second == 5e8);
  CHECK(platform.disks()[0].total_bytes_per_second == 1.2e8);
  CHECK(platform.speed_profile(HostId{0})->value_at(2, 1) == 0.5);
  CHECK(platform.actors()[0].host == HostId{1});
}

TEST_CASE("platform builder: a zone with one host or router is its own gateway", "[simcore][platform]") {
  PlatformBuilder builder;
  const PointId top = builder.add_zone(builder.world(), "top", ZoneRouting::floyd);
  const PointId left = builder.add_zone(top, "left", ZoneRouting::full);
  const PointId right = builder.add_zone(top, "right", ZoneRouting::full);
  builder.add_host(left, {"a", {1e9}});
  builder.add_host(right, {"b", {1e9}});
  builder.add_route(top, {left, right, {{builder.add_link({"l", 1e6})}}});
  CHECK(route_text(finished(builder), "a", "b") == "l");

  PlatformBuilder ambiguous;
  const PointId all = ambiguous.add_zone(ambiguous.world(), "all", ZoneRouting::full);
  const PointId two = ambiguous.add_zone(all, "two", ZoneRouting::full);
  const PointId one = ambiguous.add_zone(all, "one", ZoneRouting::full);
  for (const char* name : {"a", "b"}) ambiguous.add_host(two, {name, {1e9}});
  ambiguous.add_host(one, {"c", {1e9}});
  ambiguous.add_route(all, {two, one, {}});
  CHECK_THAT(ambiguous.finish("test").error().text, Catch::Contains("'two' needs a gateway"));
}

TEST_CASE("platform builder: it makes stars of zones, and tori and trees of clusters", "[simcore][platform]") {
  PlatformBuilder builder;
  const auto leaf = [](PlatformBuilder& inner, PointId zone, std::uint32_t number) {
    const std::string name = "part" + std::to_string(number);
    const PointId part = inner.add_cluster(zone, cluster_of(name, 3));
    return ClusterLeaf{part, inner.find_point(name + "-" + name + "_router")};
  };
  ClusterDescription outer = cluster_of("outer", 4);
  SECTION("torus") {
    outer.topology = Torus{{2, 2}};
    outer.make_leaf = leaf;
    builder.add_cluster(builder.world(), outer);
    CHECK(route_text(finished(builder), "part0-1", "part3-2") ==
          "part0_link_1_UP outer_link_from_0_to_1_UP outer_link_from_1_to_3_UP "
          "part3_link_2_DOWN");
  }
  SECTION("fat tree") {
    outer.topology = FatTree{{2, 2}, {1, 1}, {1, 1}};
    outer.make_leaf = leaf;
    builder.add_cluster(builder.world(), outer);
    const Platform platform = finished(builder);
    CHECK(platform.find_route({0}, {11}).value().links.size() == 6);
    CHECK(platform.find_route({0}, {2}).value().links.size() == 2);
  }
  SECTION("flat") {
    outer.make_leaf = leaf;
    outer.backbone = LinkDescription{"", 1e10, 0};
    builder.add_cluster(builder.world(), outer);
    CHECK(route_text(finished(builder), "part0-1", "part3-2") ==
          "part0_link_1_UP outer_link_0_UP outer_backbone outer_link_3_DOWN part3_link_2_DOWN");
  }
  SECTION("star") {
    const PointId star = builder.add_zone(builder.world(), "star", ZoneRouting::star);
    for (std::uint32_t i = 0; i < 2; ++i) {
      const ClusterLeaf part = leaf(builder, star, i);
      const LinkId link = builder.add_link({"l" + std::to_string(i), 1e9}).up;
      builder.set_leg(star, part.point, {{link}, {link}, {}, part.gateway});
    }
    CHECK(route_text(finished(builder), "part0-1", "part1-2") == "part0_link_1_UP l0 l1 part1_link_2_DOWN");
  }
}

TEST_CASE("platform builder: the first mistake is reported", "[simcore][platform]") {
  PlatformBuilder builder;
  const PointId zone = builder.add_zone(builder.world(), "z", ZoneRouting::full);
  builder.add_host(zone, {"a", {-1}});
  const PointId b = builder.add_host(zone, {"b", {1e9}});
  builder.add_route(zone, {b, b, {{builder.add_link({"l", 0})}}});
  builder.add_cluster(zone, cluster_of("c", 2));
  REQUIRE(builder.mistake());
  CHECK_THAT(builder.finish("x").error().text, Catch::Contains("speed of host 'a'"));
}

TEST_CASE("platform builder: a platform beyond the limits is a mistake", "[simcore][platform]") {
  PlatformBuilder builder(PlatformLimits{10, 50, 3});
  builder.add_cluster(builder.world(), cluster_of("c", 11));
  CHECK_THAT(builder.mistake()->text, Catch::Contains("more than 10 hosts"));
  PlatformBuilder deep(PlatformLimits{10, 50, 3});
  PointId zone = deep.world();
  for (int i = 0; i < 4; ++i) zone = deep.add_zone(zone, "z" + std::to_string(i), ZoneRouting::full);
  CHECK_THAT(deep.mistake()->text, Catch::Contains("nested more than 3 deep"));
  PlatformBuilder outside;
  outside.add_host(outside.world(), {"a", {1e9}});
  CHECK_THAT(outside.mistake()->text, Catch::Contains("lies in a zone"));
}

TEST_CASE("platform builder: links can limit the number of flows that cross at a time", "[simcore][platform]") {
  PlatformBuilder builder;
  const PointId zone = builder.add_zone(builder.world(), "z", ZoneRouting::full);
  builder.add_host(zone, {"a", {1e9}});
  LinkDescription link{"l", 1e6};
  link.concurrency_limit = 3;
  const LinkHandle l = builder.add_link(link);
  const Platform platform = finished(builder);
  CHECK(platform.concurrency_limit(l.up) == 3);
  CHECK(platform.concurrency_limit(platform.find_link("__loopback__").value()) == 0);
}
