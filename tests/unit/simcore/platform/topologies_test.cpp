// SPDX-License-Identifier: MIT
//
// Interconnects by formula: lengths, continuity, balance.
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "simcore/platform.hpp"
#include "tests/support/platform_texts.hpp"

using namespace rehearse;
using namespace rehearse::testing;

namespace {

Platform built_in(const std::string& name) {
  auto platform = make_platform(name);
  if (!platform) FAIL(platform.error().text);
  return std::move(platform.value());
}

std::string cluster(const std::string& name, int hosts, const std::string& attributes) {
  return "<cluster id='" + name + "' prefix='" + name + "-' suffix='' radical='0-" + std::to_string(hosts - 1) +
         "' speed='1Gf' bw='1GBps' lat='1us' " + attributes + "/>";
}

std::size_t hops(const Platform& platform, std::uint32_t from, std::uint32_t to) {
  return platform.find_route({from}, {to}).value().links.size();
}

}  // namespace

TEST_CASE("torus: the length of a route is the sum of the distances in each dimension", "[simcore][platform]") {
  const Platform torus = built_in("torus:5x4x2");
  const auto around = [](std::uint32_t a, std::uint32_t b, std::uint32_t size) {
    const std::uint32_t up = (b + size - a) % size;
    return std::min(up, size - up);
  };
  for (std::uint32_t a = 0; a < 40; ++a)
    for (std::uint32_t b = 0; b < 40; ++b) {
      if (a == b) continue;
      const std::size_t expected = around(a % 5, b % 5, 5) + around(a / 5 % 4, b / 5 % 4, 4) +
                                   around(a / 20, b / 20, 2);
      REQUIRE(hops(torus, a, b) == expected);
    }
  CHECK(route_text(torus, "node-0", "node-0") == "cluster_link_0_loopback");
  CHECK(route_text(torus, "node-0", "node-4") == "cluster_link_from_4_to_0_DOWN");
  CHECK(route_text(torus, "node-0", "node-6") == "cluster_link_from_0_to_1_UP cluster_link_from_1_to_6_UP");
}

TEST_CASE("torus: limiters of all nodes on the way are crossed", "[simcore][platform]") {
  const Platform platform = platform_with(cluster("t", 8,
                                                  "topology='TORUS' topo_parameters='8' limiter_link='2GBps' "
                                                  "sharing_policy='SHARED'"));
  CHECK(route_text(platform, "t-1", "t-3") ==
        "t_link_1_limiter t_link_from_1_to_2 t_link_2_limiter t_link_from_2_to_3 t_link_3_limiter");
  CHECK(route_text(platform, "t-1", "t-0") == "t_link_1_limiter t_link_from_0_to_1 t_link_0_limiter");
  CHECK(route_text(platform, "t-1", "t-1") == "__loopback__");
}

TEST_CASE("fat tree: routes climb to the first common switch and no further", "[simcore][platform]") {
  const Platform tree = built_in("fat-tree:3;4,3,2;1,2,3;1,2,1");
  REQUIRE(tree.hosts().size() == 24);
  for (std::uint32_t a = 0; a < 24; ++a)
    for (std::uint32_t b = 0; b < 24; ++b) {
      if (a == b) continue;
      const std::size_t expected = a / 4 == b / 4 ? 2 : a / 12 == b / 12 ? 4 : 6;
      const auto route = tree.find_route({a}, {b}).value();
      REQUIRE(route.links.size() == expected);
      // Continuous: link_from_LOWER_UPPER_NUMBER, up then down.
      std::string at = std::to_string(a);
      for (std::size_t i = 0; i < expected; ++i) {
        const std::string& name = tree.link(route.links[i]).name;
        const std::string lower = name.substr(10, name.find('_', 10) - 10);
        const std::size_t start = 11 + lower.size();
        const std::string upper = name.substr(start, name.find('_', start) - start);
        const bool is_up = i < expected / 2;
        REQUIRE(name.ends_with(is_up ? "_UP" : "_DOWN"));
        REQUIRE(at == (is_up ? lower : upper));
        at = is_up ? upper : lower;
      }
      REQUIRE(at == std::to_string(b));
    }
}

TEST_CASE("fat tree: a shift of all hosts shares no cable", "[simcore][platform]") {
  const Platform tree = built_in("fat-tree:64");
  for (const std::uint32_t shift : {1u, 8u, 13u, 32u, 63u}) {
    std::map<LinkId, int> uses;
    for (std::uint32_t host = 0; host < 64; ++host) {
      const auto route = tree.find_route({host}, {(host + shift) % 64}).value();
      for (const LinkId link : route.links) REQUIRE(++uses[link] == 1);
    }
  }
}

TEST_CASE("fat tree: a second fat tree of a platform is like the first", "[simcore][platform]") {
  const std::string shape = "topology='FAT_TREE' topo_parameters='2;4,4;1,2;1,2'";
  const Platform platform =
      platform_with("<zone id='z' routing='Full'>" + cluster("a", 16, shape) + cluster("b", 16, shape) + "</zone>");
  CHECK(route_text(platform, "a-0", "a-9") ==
        "link_from_0_31_0_UP link_from_31_26_18_UP link_from_29_26_26_DOWN link_from_9_29_9_DOWN");
  CHECK(route_text(platform, "b-0", "b-9") == "b_link_from_0_31_0_UP b_link_from_31_26_18_UP b_link_from_29_26_26_DOWN "
                                              "b_link_from_9_29_9_DOWN");
}

TEST_CASE("dragonfly: routes are minimal, also with more groups than routers", "[simcore][platform]") {
  const std::string shape = GENERATE("3x4x5x2", "9x2x2x1", "2x1x1x3", "1x3x3x2");
  const Platform fly = built_in("dragonfly:" + shape);
  for (std::uint32_t a = 0; a < fly.hosts().size(); ++a)
    for (std::uint32_t b = 0; b < fly.hosts().size(); ++b) {
      if (a == b) continue;
      const auto route = fly.find_route({a}, {b}).value();
      int blue = 0;
      std::set<LinkId> distinct(route.links.begin(), route.links.end());
      for (const LinkId link : route.links) blue += fly.link(link).name.starts_with("blue");
      REQUIRE(distinct.size() == route.links.size());
      REQUIRE(route.links.size() <= 7);
      REQUIRE(blue <= 1);
      REQUIRE(fly.link(route.links.front()).name.starts_with("local"));
      REQUIRE(fly.link(route.links.back()).name.starts_with("local"));
    }
}

TEST_CASE("dragonfly: with --compat simgrid a router forgets its chassis when it goes along it",
          "[simcore][platform]") {
  // 4 hosts with gaps in their numbers, on 2 blades of 2 chassis; expected routes: SimGrid 3.32.
  const std::string four = "<cluster id='c' prefix='n' suffix='' radical='0,1002-1004' speed='1Gf' bw='125MBps' "
                           "lat='50us' "
                           "topology='DRAGONFLY' topo_parameters='1,1;2,1;2,1;1' limiter_link='100MBps'/>";
  const Platform documented = platform_with(four), as_the_program = platform_with(four, RoutesOf::the_program);
  struct Expected {
    std::string from, to;
    std::size_t documented, as_the_program;
  };
  for (const auto& [from, to, by_documentation, by_program] :
       {Expected{"n0", "n1002", 7, 7}, Expected{"n0", "n1003", 7, 7}, Expected{"n0", "n1004", 9, 9},
        Expected{"n1002", "n0", 7, 7}, Expected{"n1002", "n1003", 9, 9}, Expected{"n1002", "n1004", 7, 7},
        Expected{"n1003", "n0", 7, 7}, Expected{"n1003", "n1002", 9, 7}, Expected{"n1003", "n1004", 7, 9},
        Expected{"n1004", "n0", 9, 7}, Expected{"n1004", "n1002", 7, 7}, Expected{"n1004", "n1003", 7, 9}}) {
    INFO(from << " to " << to);
    const auto links_of = [&](const Platform& platform) {
      return platform.find_route(*platform.find_host(from), *platform.find_host(to)).value();
    };
    CHECK(links_of(documented).links.size() == by_documentation);
    CHECK(links_of(as_the_program).links.size() == by_program);
    // Of these links two are cables of hosts and every second one a limiter, which has no latency.
    CHECK(links_of(as_the_program).latency_seconds == Approx(50e-6 * static_cast<double>((by_program - 1) / 2)));
  }
  CHECK(route_text(as_the_program, "n1003", "n1004") ==
        "c_link_2_limiter local_link_from_router_2_to_node_0_2_UP c_link_5_limiter "
        "green_link_in_chassis_1_between_routers_0_and_1_5_UP c_link_6_limiter "
        "black_link_in_group_0_between_chassis_0_and_1_blade_1_7_UP c_link_4_limiter "
        "local_link_from_router_3_to_node_0_3_DOWN c_link_3_limiter");
}

TEST_CASE("dragonfly: parallel cables are one link with the bandwidth of all", "[simcore][platform]") {
  const Platform fly = built_in("dragonfly:2,3;2,4;2,5;1");
  const auto rate = [&](const std::string& part) {
    for (const Link& link : fly.links())
      if (link.name.starts_with(part)) return link.bytes_per_second;
    return 0.0;
  };
  CHECK(rate("local") == 1.25e9);
  CHECK(rate("green") == 5 * 1.25e9);
  CHECK(rate("black") == 4 * 1.25e9);
  CHECK(rate("blue") == 3 * 1.25e9);
}

TEST_CASE("clusters: fat pipes are never shared, limiters and loopbacks are used", "[simcore][platform]") {
  const Platform platform = platform_with(cluster("c", 3,
                                                  "sharing_policy='FATPIPE' loopback_bw='1GBps' loopback_lat='1us' "
                                                  "limiter_link='2GBps' bb_bw='0' bb_lat='0' core='4'"));
  CHECK(route_text(platform, "c-0", "c-2") == "c_link_0_limiter c_link_0 c_link_2 c_link_2_limiter");
  CHECK(route_text(platform, "c-1", "c-1") == "c_link_1_loopback");
  CHECK(platform.link(platform.find_link("c_link_0").value()).sharing == LinkSharing::fatpipe);
  CHECK(platform.link(platform.find_link("c_link_0_limiter").value()).sharing == LinkSharing::shared);
  CHECK(platform.hosts()[2].cores == 4);
}

TEST_CASE("clusters: a topology inside a zone is reached through one of its hosts", "[simcore][platform]") {
  const Platform platform =
      platform_with("<zone id='z' routing='Floyd'>" + cluster("t", 9, "topology='TORUS' topo_parameters='3,3'") +
                    cluster("c", 2, "bb_bw='1GBps' bb_lat='1us' router_id='gate'") +
                    "<link id='l' bandwidth='1GBps' latency='1ms'/>"
                    "<zoneRoute src='t' dst='c' gw_src='t-4' gw_dst='gate'><link_ctn id='l'/></zoneRoute></zone>");
  CHECK(route_text(platform, "t-3", "c-1") == "t_link_from_3_to_4_UP l c_backbone c_link_1_DOWN");
  CHECK(route_text(platform, "t-4", "c-0") == "l c_backbone c_link_0_DOWN");
}

TEST_CASE("built-in platforms: wrong parameters are refused", "[simcore][platform]") {
  using Catch::Contains;
  const auto error = [](const std::string& name) {
    const auto platform = make_platform(name);
    return platform ? "nothing" : platform.error().text;
  };
  CHECK_THAT(error("torus:4x0"), Contains("torus:4x4x4"));
  CHECK_THAT(error("torus:"), Contains("torus:4x4x4"));
  CHECK_THAT(error("torus:99999x99999x99999x99999"), Contains("more than 1000000 hosts"));
  CHECK_THAT(error("torus:4294967296"), Contains("torus:4x4x4"));
  CHECK_THAT(error("fat-tree:two"), Contains("fat-tree:2;4,4;1,2;1,2"));
  CHECK_THAT(error("fat-tree:2;4,4;1,2;1"), Contains("for each a number"));
  CHECK_THAT(error("fat-tree:1;4000000000;4000000000;4000000000"), Contains("1000000 hosts"));
  CHECK_THAT(error("dragonfly:3x4x5"), Contains("dragonfly:3x4x5x2"));
  CHECK_THAT(error("dragonfly:60000x60000x60000x60000"), Contains("1000000 hosts"));
  CHECK_THAT(error("crossbar:0"), Contains("from 1 to"));
}
