// SPDX-License-Identifier: MIT
//
// Zones in platform files: each kind, in each other, with gateways and bypasses.
#include <catch2/catch.hpp>

#include "simcore/platform.hpp"
#include "tests/support/platform_texts.hpp"

namespace zones_test {

using namespace rehearse;
using namespace rehearse::testing;

namespace {

std::string host(const std::string& name) { return "<host id='" + name + "' speed='1Gf'/>"; }
std::string link(const std::string& name) { return "<link id='" + name + "' bandwidth='1MBps' latency='1ms'/>"; }
std::string route(const std::string& from, const std::string& to, const std::string& name) {
  return "<route src='" + from + "' dst='" + to + "'><link_ctn id='" + name + "'/></route>";
}
std::string zone_route(const std::string& from, const std::string& gateway_from, const std::string& to,
                       const std::string& gateway_to, const std::string& name) {
  return "<zoneRoute src='" + from + "' dst='" + to + "' gw_src='" + gateway_from + "' gw_dst='" + gateway_to +
         "'><link_ctn id='" + name + "'/></zoneRoute>";
}

// Hosts NAME1 and NAME2 and routers in and out; all are joined in a row: in, NAME1, NAME2, out.
std::string row_zone(const std::string& name) {
  const auto edge = [&](const std::string& from, const std::string& to) {
    return link(from + "-" + to) + route(from, to, from + "-" + to);
  };
  return "<zone id='" + name + "' routing='Floyd'>" + host(name + "1") + host(name + "2") + "<router id='" + name +
         "in'/><router id='" + name + "out'/>" + edge(name + "in", name + "1") + edge(name + "1", name + "2") +
         edge(name + "2", name + "out") + "</zone>";
}

}  // namespace

TEST_CASE("zones: a route through a zone goes from the gateway of arrival to the gateway of departure",
          "[simcore][platform]") {
  const std::string routing = GENERATE("Floyd", "Dijkstra", "DijkstraCache");
  const Platform platform = zone_platform(routing, row_zone("a") + row_zone("b") + row_zone("c") + link("ab") +
                                                       link("bc") + zone_route("a", "aout", "b", "bin", "ab") +
                                                       zone_route("b", "bout", "c", "cin", "bc"));
  for (int i = 0; i < 2; ++i) {  // also from what is remembered
    CHECK(route_text(platform, "a1", "c2") == "a1-a2 a2-aout ab bin-b1 b1-b2 b2-bout bc cin-c1 c1-c2");
    CHECK(route_text(platform, "c2", "a1") == "c1-c2 cin-c1 bc b2-bout b1-b2 bin-b1 ab a2-aout a1-a2");
    CHECK(route_text(platform, "b1", "a2") == "bin-b1 ab a2-aout");
  }
}

TEST_CASE("zones: a full zone knows only the given routes", "[simcore][platform]") {
  const Platform platform =
      zone_platform("Full", host("a") + host("b") + host("c") + link("ab") + link("bc") + route("a", "b", "ab") +
                                "<route src='b' dst='c' symmetrical='NO'><link_ctn id='bc'/></route>");
  CHECK(route_text(platform, "b", "a") == "ab");
  CHECK(route_text(platform, "b", "c") == "bc");
  CHECK(route_text(platform, "c", "b") == "none");
  CHECK(route_text(platform, "a", "c") == "none");
}

TEST_CASE("zones: bypasses have priority over routes, the innermost pair first", "[simcore][platform]") {
  const std::string zones = row_zone("a") + row_zone("b") + link("ab") + link("wide") + link("short") +
                            zone_route("a", "aout", "b", "bin", "ab");
  const std::string wide = "<bypassZoneRoute src='a' dst='b' gw_src='ain' gw_dst='bin'><link_ctn id='wide'/>"
                           "</bypassZoneRoute>";
  const std::string narrow = "<bypassRoute src='a2' dst='b1'><link_ctn id='short'/></bypassRoute>";
  const Platform platform = zone_platform("Full", zones + wide + narrow);
  CHECK(route_text(platform, "a2", "b1") == "short");
  CHECK(route_text(platform, "a1", "b1") == "ain-a1 wide bin-b1");
  CHECK(route_text(platform, "b1", "a2") == "bin-b1 ab a2-aout");  // one way only
  CHECK(route_text(platform, "a1", "a2") == "a1-a2");
}

TEST_CASE("zones: hosts of a star have their own links, and a cabinet adds hosts with links", "[simcore][platform]") {
  const Platform platform =
      platform_with("<zone id='top' routing='Full'><zone id='s' routing='Cluster'>"
                    "<link id='l' bandwidth='1MBps' sharing_policy='SPLITDUPLEX'/>" +
                    link("m") + host("a") + host("b") +
                    "<router id='r'/><host_link id='a' up='l' down='l'/>"
                    "<host_link id='b' up='m' down='m'/><backbone id='bb' bandwidth='1GBps' latency='1ms'/>"
                    "<cabinet id='k' prefix='n' suffix='.x' radical='3,5-6' speed='1Gf' bw='1GBps' lat='2us'/>"
                    "</zone>" +
                    row_zone("o") + link("out") + zone_route("s", "r", "o", "oin", "out") + "</zone>");
  CHECK(route_text(platform, "a", "b") == "l_UP bb m");
  CHECK(route_text(platform, "b", "a") == "m bb l_DOWN");
  CHECK(route_text(platform, "n5.x", "a") == "link_n5.x_UP bb l_DOWN");
  CHECK(route_text(platform, "a", "a") == "l_UP bb l_DOWN");
  CHECK(route_text(platform, "b", "b") == "m bb");
  CHECK(route_text(platform, "n3.x", "o1") == "link_n3.x_UP bb out oin-o1");
}

TEST_CASE("zones: coordinates are latencies", "[simcore][platform]") {
  const Platform platform =
      zone_platform("Vivaldi", "<peer id='p' speed='1Gf' bw_in='1MBps' bw_out='2MBps' coordinates='0 0 1'/>"
                               "<peer id='q' speed='1Gf' bw_in='3MBps' bw_out='4MBps' coordinates='3 4 -2' lat='1ms'/>"
                               "<host id='h' speed='1Gf' coordinates='3 4 0'/>"
                               "<zone id='in' routing='Full'><host id='g' speed='1Gf'/>"
                               "<router id='router_in' coordinates='3 0 0'/>" +
                                   link("i") + route("g", "router_in", "i") + "</zone>");
  CHECK(route_text(platform, "p", "q") == "link_p_UP link_q_DOWN");
  CHECK(route_latency(platform, "p", "q") == Approx(0.008).epsilon(1e-12));
  CHECK(route_latency(platform, "p", "p") == Approx(0.002).epsilon(1e-12));
  CHECK(route_text(platform, "h", "p") == "link_p_DOWN");
  CHECK(route_text(platform, "p", "g") == "link_p_UP i");
  CHECK(route_latency(platform, "p", "g") == Approx(0.005).epsilon(1e-12));
  CHECK(platform.link(platform.find_link("link_q_DOWN").value()).bytes_per_second == 3e6);
  CHECK(platform.link(platform.find_link("link_q_UP").value()).bytes_per_second == 4e6);
}

TEST_CASE("zones: stations cross the medium, the access point does not", "[simcore][platform]") {
  const Platform platform =
      platform_with("<zone id='top' routing='Full'><zone id='w' routing='WIFI'><prop id='access_point' "
                    "value='ap'/><link id='air' bandwidth='54Mbps;36Mbps,24Mbps' sharing_policy='WIFI'/>" +
                    host("s") + host("t") + "<router id='ap'/></zone>" + row_zone("o") + link("out") +
                    zone_route("w", "ap", "o", "oin", "out") + "</zone>");
  CHECK(route_text(platform, "s", "t") == "air air");
  CHECK(route_text(platform, "s", "o1") == "air out oin-o1");
  CHECK(route_text(platform, "o1", "s") == "oin-o1 out air");
  const LinkId air = platform.find_link("air").value();
  CHECK(platform.link(air).sharing == LinkSharing::wifi);
  CHECK(platform.wifi_rates(air).size() == 3);
  CHECK(platform.wifi_rates(air)[1] == 4.5e6);
  CHECK(platform.wifi_link(platform.find_host("s").value()) == air);
  CHECK_FALSE(platform.wifi_link(platform.find_host("o1").value()));
}

TEST_CASE("zones: without routing there are no routes", "[simcore][platform]") {
  const Platform platform = zone_platform("None", host("a") + host("b"));
  CHECK(route_text(platform, "a", "b") == "none");
  CHECK(route_text(platform, "a", "a") == "__loopback__");
}

TEST_CASE("zones: hosts of separate outermost zones do not reach each other", "[simcore][platform]") {
  const Platform platform = platform_with(row_zone("a") + row_zone("b"));
  CHECK(route_text(platform, "a1", "a2") == "a1-a2");
  CHECK(route_text(platform, "a1", "b1") == "none");
  CHECK(platform.zones().size() == 2);
  CHECK_FALSE(platform.zones()[1].parent);
  CHECK(platform.zone_of(platform.find_host("b1").value()) == ZoneId{1});
}

TEST_CASE("zones: among routes of equal length, each search always finds the same one", "[simcore][platform]") {
  // A ring of six: two ways of three links between opposite points.
  std::string ring;
  for (int i = 0; i < 6; ++i) ring += host("h" + std::to_string(i)) + link(std::to_string(i));
  for (int i = 0; i < 6; ++i)
    ring += route("h" + std::to_string(i), "h" + std::to_string((i + 1) % 6), std::to_string(i));
  const Platform floyd = zone_platform("Floyd", ring);
  const Platform single = zone_platform("Dijkstra", ring);
  const Platform cached = zone_platform("DijkstraCache", ring);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      const std::string a = "h" + std::to_string(i), b = "h" + std::to_string(j);
      CHECK(route_text(single, a, b) == route_text(cached, a, b));
      CHECK(route_latency(single, a, b) == route_latency(floyd, a, b));
    }
}

}  // namespace zones_test
