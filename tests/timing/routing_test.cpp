// SPDX-License-Identifier: MIT
//
// Routes of zones and clusters, link by link, and flows over them in the shapes that clusters have.
#include <cstdio>

#include "tests/timing/scene.hpp"

using namespace rehearse;
using namespace rehearse::testing;

namespace {

// `link link ... latency`, in seconds with six decimals.
std::string route(const Platform& platform, const std::string& source, const std::string& destination) {
  const auto found = platform.find_route(platform.find_host(source).value(), platform.find_host(destination).value());
  if (!found) return "none";
  std::string text;
  for (const LinkId link : found->links) text += platform.link(link).name + " ";
  char latency[32];
  std::snprintf(latency, sizeof latency, "%.6f", found->latency_seconds);
  return text + latency;
}

// How long a flow takes by lv08, alone.
double flow_seconds(Platform&& platform, const std::string& source, const std::string& destination, double bytes) {
  Scene scene(std::move(platform));
  scene.actor(source, [&] { sim::Comm::sendto(scene->host(source), scene->host(destination), bytes); });
  return scene.run();
}

std::string cluster(const std::string& rest) {
  return "<cluster prefix='n' suffix='' speed='1Gf' bw='125MBps' lat='50us' " + rest + "/>";
}

Platform three_clusters() {
  return described("<zone id='world' routing='Full'>" + cluster("id='a' radical='1'") + cluster("id='b' radical='2'") +
                   cluster("id='c' radical='3'") +
                   "<link id='x' bandwidth='1.25GBps' latency='500us'/>"
                   "<link id='y' bandwidth='1.25GBps' latency='500us'/>"
                   "<link id='z' bandwidth='1.25GBps' latency='500us'/>"
                   "<link id='short' bandwidth='1.25GBps' latency='500us'/>"
                   "<zoneRoute src='a' dst='b' gw_src='na_router' gw_dst='nb_router'>"
                   "<link_ctn id='x'/><link_ctn id='y'/></zoneRoute>"
                   "<zoneRoute src='a' dst='c' gw_src='na_router' gw_dst='nc_router'>"
                   "<link_ctn id='x'/><link_ctn id='z'/></zoneRoute>"
                   "<zoneRoute src='b' dst='c' gw_src='nb_router' gw_dst='nc_router'>"
                   "<link_ctn id='y'/><link_ctn id='z'/></zoneRoute>"
                   "<bypassZoneRoute src='a' dst='b' gw_src='na_router' gw_dst='nb_router'>"
                   "<link_ctn id='short'/></bypassZoneRoute></zone>");
}

Platform searched() {
  return described(
      "<zone id='world' routing='Dijkstra'><host id='a' speed='10Mf'/><host id='b' speed='10Mf'/><router id='r'/>"
      "<link id='l1' bandwidth='1MBps' latency='1ms'/><link id='l2' bandwidth='1MBps' latency='1ms'/>"
      "<link id='l3' bandwidth='1MBps' latency='1ms'/><link id='l4' bandwidth='1MBps' latency='1ms'/>"
      "<link id='l5' bandwidth='1MBps' latency='1ms'/>"
      "<route src='a' dst='r' symmetrical='NO'><link_ctn id='l1'/></route>"
      "<route src='b' dst='r' symmetrical='NO'><link_ctn id='l2'/></route>"
      "<route src='r' dst='a' symmetrical='NO'><link_ctn id='l1'/></route>"
      "<route src='r' dst='b' symmetrical='NO'><link_ctn id='l2'/></route>"
      "<route src='a' dst='b' symmetrical='NO'><link_ctn id='l3'/><link_ctn id='l4'/><link_ctn id='l5'/></route>"
      "</zone>");
}

Platform square() {
  return described(
      "<zone id='world' routing='Floyd'><host id='h1' speed='1Gf'/><host id='h2' speed='1Gf'/>"
      "<host id='h3' speed='1Gf'/><host id='h4' speed='1Gf'/>"
      "<link id='l1' bandwidth='125MBps' latency='50us'/><link id='l2' bandwidth='125MBps' latency='50us'/>"
      "<link id='l3' bandwidth='125MBps' latency='50us'/><link id='l4' bandwidth='125MBps' latency='50us'/>"
      "<route src='h1' dst='h2'><link_ctn id='l1'/></route><route src='h1' dst='h3'><link_ctn id='l2'/></route>"
      "<route src='h2' dst='h3'><link_ctn id='l3'/></route><route src='h3' dst='h4'><link_ctn id='l4'/></route>"
      "</zone>");
}

// Hosts on a router each, a shortcut between two of them that only one direction may take, and another zone.
Platform with_shortcut() {
  return described(
      "<zone id='world' routing='Dijkstra'><zone id='west' routing='Full'><host id='w' speed='1Gf'/>"
      "<link id='lw' bandwidth='1.25GBps' latency='500us'/><router id='west gate'/>"
      "<route src='w' dst='west gate'><link_ctn id='lw'/></route></zone>"
      "<zone id='east' routing='Floyd'><host id='e1' speed='1Gf'/><host id='e2' speed='1Gf'/>"
      "<router id='middle'/><router id='east gate'/>"
      "<link id='l1' bandwidth='1.25GBps' latency='500us'/><link id='l2' bandwidth='1.25GBps' latency='500us'/>"
      "<link id='l4' bandwidth='1.25GBps' latency='500us'/><link id='p' bandwidth='1.25GBps' latency='500us'/>"
      "<link id='q' bandwidth='1.25GBps' latency='500us'/><link id='r' bandwidth='1.25GBps' latency='500us'/>"
      "<route src='middle' dst='e1'><link_ctn id='l1'/></route><route src='middle' dst='e2'><link_ctn id='l2'/></route>"
      "<route src='middle' dst='east gate'><link_ctn id='l4'/></route>"
      "<bypassRoute src='e1' dst='e2'><link_ctn id='p'/><link_ctn id='q'/><link_ctn id='r'/></bypassRoute></zone>"
      "<link id='bridge' bandwidth='1.25GBps' latency='500us'/>"
      "<zoneRoute src='west' dst='east' gw_src='west gate' gw_dst='east gate'><link_ctn id='bridge'/></zoneRoute>"
      "</zone>");
}

}  // namespace

TEST_CASE("timing 120: routes of Dijkstra and Floyd zones have the least number of links", "[timing]") {
  // Between a and b the route with three links is a single step, yet longer.
  const Platform dijkstra = searched();
  CHECK(route(dijkstra, "a", "b") == "l1 l2 0.002000");
  CHECK(route(dijkstra, "b", "a") == "l2 l1 0.002000");
  const Platform floyd = square();
  CHECK(route(floyd, "h1", "h2") == "l1 0.000050");
  CHECK(route(floyd, "h1", "h3") == "l2 0.000050");
  CHECK(route(floyd, "h1", "h4") == "l2 l4 0.000100");
  CHECK(route(floyd, "h2", "h4") == "l3 l4 0.000100");
  CHECK(route(floyd, "h4", "h2") == "l4 l3 0.000100");
}

TEST_CASE("timing 121: routes between zones cross gateways, a bypass goes one way: 3 links and 0.0006 s, else 0.0011 s",
          "[timing]") {
  const Platform zones = three_clusters();
  CHECK(zones.hosts().size() == 3);
  CHECK(route(zones, "n1", "n1") == "a_link_1_UP a_link_1_DOWN 0.000100");
  CHECK(route(zones, "n1", "n2") == "a_link_1_UP short b_link_2_DOWN 0.000600");
  CHECK(route(zones, "n1", "n3") == "a_link_1_UP x z c_link_3_DOWN 0.001100");
  CHECK(route(zones, "n2", "n1") == "b_link_2_UP y x a_link_1_DOWN 0.001100");
  CHECK(route(zones, "n2", "n3") == "b_link_2_UP y z c_link_3_DOWN 0.001100");
  CHECK(route(zones, "n3", "n2") == "c_link_3_UP z y b_link_2_DOWN 0.001100");
  const Platform shortcut = with_shortcut();
  CHECK(route(shortcut, "e1", "e2") == "p q r 0.001500");
  CHECK(route(shortcut, "e2", "e1") == "l2 l1 0.001000");
  CHECK(route(shortcut, "w", "e2") == "lw bridge l4 l2 0.002000");
  CHECK(route(shortcut, "e1", "w") == "l1 l4 bridge lw 0.002000");
}

TEST_CASE("timing 121: clusters with backbones: 0.0006 s within, also to oneself, 0.0016 s to another", "[timing]") {
  const std::string backbone = " bb_bw='2.25GBps' bb_lat='500us'";
  const Platform platform = described(
      "<zone id='world' routing='Full'><cluster id='bob' prefix='b' suffix='' radical='0-1' speed='1Gf' bw='125MBps' "
      "lat='50us'" +
      backbone + "/><cluster id='eve' prefix='e' suffix='' radical='0-1' speed='1Gf' bw='125MBps' lat='50us'" +
      backbone +
      "/><link id='bridge' bandwidth='1.25GBps' latency='500us'/><zoneRoute src='bob' dst='eve' gw_src='bbob_router' "
      "gw_dst='eeve_router'><link_ctn id='bridge'/></zoneRoute></zone>");
  CHECK(route(platform, "b0", "b1") == "bob_link_0_UP bob_backbone bob_link_1_DOWN 0.000600");
  CHECK(route(platform, "b0", "b0") == "bob_link_0_UP bob_backbone bob_link_0_DOWN 0.000600");
  CHECK(route(platform, "e1", "b0") == "eve_link_1_UP eve_backbone bridge bob_backbone bob_link_0_DOWN 0.001600");
}

TEST_CASE("timing 122: a cluster with gaps in its numbers has these links", "[timing]") {
  const Platform platform =
      described("<zone id='world' routing='Full'><cluster id='bob' prefix='b' suffix='' radical='0,2-4,6' speed='1Gf' "
                "bw='125MBps' lat='50us' bb_bw='2.25GBps' bb_lat='500us'/></zone>");
  CHECK(platform.hosts().size() == 5);
  for (const auto* number : {"0", "2", "3", "4", "6"}) {
    for (const auto* end : {"_UP", "_DOWN"}) {
      const auto link = platform.find_link(std::string("bob_link_") + number + end);
      REQUIRE(link.has_value());
      CHECK(platform.link(*link).bytes_per_second == 125e6);
      CHECK_THAT(platform.link(*link).latency_seconds, Printed(50e-6, 12));
    }
  }
  const auto backbone = platform.find_link("bob_backbone");
  REQUIRE(backbone.has_value());
  CHECK(platform.link(*backbone).bytes_per_second == 2.25e9);
}

TEST_CASE("timing 4.10: one flow by lv08 on clusters and in zones, to nine digits", "[timing]") {
  const auto seconds = [](const std::string& content, const char* source, const char* destination, double bytes) {
    return flow_seconds(described("<zone id='world' routing='Full'>" + content + "</zone>"), source, destination,
                        bytes);
  };
  const std::string backbone = cluster("id='c' radical='0-99' bb_bw='2.25GBps' bb_lat='500us'");
  CHECK_THAT(seconds(backbone, "n54", "n99", 1e6), Printed(0.01605342268041237, 12));
  CHECK_THAT(seconds(backbone, "n0", "n1", 100), Printed(0.0078068247422680417, 12));
  CHECK_THAT(seconds(backbone, "n3", "n3", 1e6), Printed(0.016465793814432993, 12));
  const std::string loopback = " loopback_bw='100MBps' loopback_lat='0'";
  const std::string torus = cluster("id='c' radical='0-11' topology='TORUS' topo_parameters='3,2,2'" + loopback);
  CHECK_THAT(seconds(torus, "n4", "n9", 1e6), Printed(0.0095484226804123731, 12));
  CHECK_THAT(seconds(torus, "n4", "n4", 1e6), Printed(0.010309278350515464, 12));
  CHECK_THAT(seconds(cluster("id='c' radical='0-15' topology='FAT_TREE' topo_parameters='2;4,4;1,2;1,2'" + loopback),
                     "n2", "n9", 1e6),
             Printed(0.010849422680412371, 12));
  CHECK_THAT(seconds(cluster("id='c' radical='0-119' topology='DRAGONFLY' topo_parameters='3,4;4,3;5,1;2' "
                             "limiter_link='150MBps'" +
                             loopback),
                     "n45", "n99", 1e6),
             Printed(0.011499922680412372, 12));
}

TEST_CASE("timing 4.10: one flow by lv08 over other zones, to nine digits", "[timing]") {
  CHECK_THAT(flow_seconds(stored_platform("seven_hosts"), "Ginette", "Tremblay", 1e6),
             Printed(0.12373199525249232, 12));
  CHECK_THAT(flow_seconds(stored_platform("seven_hosts"), "Boivin", "Boivin", 1e6),
             Printed(0.00010309278350515464, 12));
  CHECK_THAT(flow_seconds(square(), "h1", "h2", 1e6), Printed(0.0093102938144329905, 12));
  CHECK_THAT(flow_seconds(searched(), "a", "b", 1e6), Printed(1.1084942268041238, 12));
  CHECK_THAT(flow_seconds(three_clusters(), "n2", "n3", 1e6), Printed(0.022558422680412367, 12));
  auto cross = described("<zone id='world' routing='Full'><host id='s' speed='1Gf'/><host id='c' speed='1Gf'/>"
                         "<link id='l' bandwidth='10kBps' latency='10ms' sharing_policy='SPLITDUPLEX'/>"
                         "<route src='s' dst='c' symmetrical='NO'><link_ctn id='l' direction='DOWN'/></route>"
                         "<route src='c' dst='s' symmetrical='NO'><link_ctn id='l' direction='UP'/></route></zone>");
  CHECK_THAT(flow_seconds(std::move(cross), "c", "s", 1e6), Printed(103.22288350515464, 9));
}
