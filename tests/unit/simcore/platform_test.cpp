// SPDX-License-Identifier: MIT
//
// Platforms: built-in ones, files, routes, and the errors that a wrong file deserves.
#include "simcore/platform.hpp"

#include <catch2/catch.hpp>

#include "tests/support/temporary_file.hpp"

namespace platform_test {

using namespace rehearse;
using rehearse::testing::TemporaryFile;

namespace {

std::string route_text(const Platform& platform, const char* from, const char* to) {
  const auto route = platform.find_route(*platform.find_host(from), *platform.find_host(to));
  if (!route) return "none";
  std::string text;
  for (const LinkId link : route->links) text += (text.empty() ? "" : " ") + platform.link(link).name;
  return text;
}

Platform load(const std::string& text) {
  const TemporaryFile file("<platform version=\"4.1\">\n" + text + "\n</platform>\n");
  auto platform = make_platform(file.path());
  if (!platform) FAIL(platform.error().text);
  return std::move(platform.value());
}

// What is wrong with the file, without its name.
std::string mistake_in(const std::string& text) {
  const TemporaryFile file(text);
  const auto platform = make_platform(file.path());
  if (platform) return "nothing";
  const std::string& error = platform.error().text;
  REQUIRE(error.starts_with(file.path()));
  return error.substr(file.path().size());
}

}  // namespace

TEST_CASE("platform: a laptop is one host with a loopback link", "[simcore][platform]") {
  const Platform laptop = std::move(make_platform("laptop").value());
  REQUIRE(laptop.hosts().size() == 1);
  CHECK(laptop.hosts()[0].cores > 1);
  CHECK(route_text(laptop, "laptop", "laptop") == "loopback");
}

TEST_CASE("platform: hosts of a cluster have private full-duplex links", "[simcore][platform]") {
  const Platform cluster = std::move(make_platform("cluster:4").value());
  REQUIRE(cluster.hosts().size() == 4);
  CHECK(route_text(cluster, "node-0", "node-3") == "cluster_link_0_UP cluster_backbone cluster_link_3_DOWN");
  CHECK(route_text(cluster, "node-2", "node-2") == "cluster_link_2_loopback");
  CHECK(cluster.find_route({0}, {3})->latency_seconds == Approx(11e-6));
  for (const char* wrong : {"cluster:0", "cluster:", "cluster:x", "cluster:4x", "cluster:99999999"})
    CHECK_THAT(make_platform(wrong).error().text, Catch::Contains(wrong) && Catch::Contains("from 1 to"));
}

TEST_CASE("platform: a name that is neither built in nor a file is reported", "[simcore][platform]") {
  CHECK_THAT(make_platform("no-such").error().text,
             Catch::Contains("'no-such'") && Catch::Contains("laptop, cluster:N"));
}

TEST_CASE("platform: a reverse route is the reversed list with directions swapped", "[simcore][platform]") {
  const Platform platform = load(R"(<zone id="z" routing="Full">
    <host id="a" speed="1Gf,500Mf" pstate="1" core="4"/> <host id="b" speed="2kiloflops"/>
    <link id="l" bandwidth="1Gbps" latency="1ms" sharing_policy="SPLITDUPLEX"/>
    <link id="m" bandwidth="1KiBps" sharing_policy="FATPIPE"/>
    <route src="a" dst="b"><link_ctn id="l" direction="UP"/><link_ctn id="m"/></route></zone>)");
  CHECK(route_text(platform, "a", "b") == "l_UP m");
  CHECK(route_text(platform, "b", "a") == "m l_DOWN");
  CHECK(route_text(platform, "a", "a") == "__loopback__");
  CHECK(platform.hosts()[0].flops_per_second == 5e8);
  CHECK(platform.hosts()[0].cores == 4);
  CHECK(platform.hosts()[1].flops_per_second == 2e3);
  CHECK(platform.links()[0].bytes_per_second == 1.25e8);
  CHECK(platform.links()[2].bytes_per_second == 1024);
  CHECK(platform.links()[2].sharing == LinkSharing::fatpipe);
}

TEST_CASE("platform: a graph zone takes the fewest links", "[simcore][platform]") {
  const char* routing = GENERATE("Floyd", "Dijkstra", "dijkstracache");
  const Platform platform = load("<zone id='z' routing='" + std::string(routing) + R"('>
    <host id="a" speed="1f"/> <host id="b" speed="1f"/> <host id="c" speed="1f"/> <router id="r"/>
    <link id="1" bandwidth="1Bps"/> <link id="2" bandwidth="1Bps"/> <link id="3" bandwidth="1Bps"/>
    <route src="a" dst="b"><link_ctn id="3"/><link_ctn id="3"/><link_ctn id="3"/></route>
    <route src="a" dst="r"><link_ctn id="1"/></route>
    <route src="r" dst="b"><link_ctn id="2"/></route></zone>)");
  CHECK(route_text(platform, "a", "b") == "1 2");
  CHECK(route_text(platform, "b", "a") == "2 1");
  CHECK(route_text(platform, "a", "c") == "none");
}

TEST_CASE("platform: clusters are joined through their routers", "[simcore][platform]") {
  const Platform platform = load(R"(<zone id="top" routing="Full">
    <cluster id="x" prefix="x-" suffix=".org" radical="0-1,5" speed="1Gf" bw="1GBps" lat="1us"
      bb_bw="10GBps" bb_lat="2us" limiter_link="1GBps"/>
    <cluster id="y" prefix="y-" suffix="" radical="0" speed="1Gf" bw="1GBps" lat="1us"
      sharing_policy="SHARED" loopback_bw="5GBps" loopback_lat="0"/>
    <link id="wide" bandwidth="1GBps" latency="1ms"/>
    <zoneRoute src="x" dst="y" gw_src="x-x_router.org" gw_dst="y-y_router">
      <link_ctn id="wide"/></zoneRoute></zone>)");
  CHECK(platform.hosts().size() == 4);
  CHECK(route_text(platform, "x-0.org", "x-5.org") ==
        "x_link_0_limiter x_link_0_UP x_backbone x_link_5_DOWN x_link_5_limiter");
  CHECK(route_text(platform, "x-1.org", "y-0") == "x_link_1_limiter x_link_1_UP x_backbone wide y_link_0");
  CHECK(route_text(platform, "y-0", "y-0") == "y_link_0_loopback");
  CHECK(route_text(platform, "x-0.org", "x-0.org") == "x_link_0_limiter x_link_0_UP x_backbone x_link_0_DOWN");
}

TEST_CASE("platform: a wrong file is refused with its line and the accepted values", "[simcore][platform]") {
  const auto in_zone = [](const std::string& text) {
    return mistake_in("<platform version='4.1'>\n<zone id='z' routing='Full'>\n"
                      "<host id='a' speed='1Gf'/>\n" +
                      text + "</zone></platform>");
  };
  using Catch::Contains;
  CHECK_THAT(mistake_in("<platform version='3'/>"), Contains(":1:") && Contains("4.0, 4.1"));
  CHECK_THAT(mistake_in("hello"), Contains("not"));
  CHECK_THAT(mistake_in("<platform version='4.1'>\n<zone"), Contains(":2:"));
  CHECK_THAT(in_zone("<host id='b' speed='fast'/>"), Contains(":4:") && Contains("'fast'"));
  CHECK_THAT(in_zone("<host id='a' speed='1f'/>"), Contains(":4:") && Contains("already"));
  CHECK_THAT(in_zone("\n<host id='b' speed='1f' coordinates='0 0'/>"), Contains(":5:") && Contains("three numbers"));
  CHECK_THAT(in_zone("<host id='b' speeed='1f'/>"), Contains("does not exist"));
  CHECK_THAT(in_zone("<link id='l' bandwidth='1KBps'/>"), Contains("'1KBps'"));
  CHECK_THAT(in_zone("<link id='l' bandwidth='1Bps' sharing_policy='WIFE'/>"),
             Contains("SHARED, FATPIPE, SPLITDUPLEX, FULLDUPLEX, WIFI"));
  CHECK_THAT(in_zone("<route src='a' dst='q'/>"), Contains("dst 'q'"));
  CHECK_THAT(in_zone("<route src='a' dst='a'><link_ctn id='q'/></route>"), Contains("link 'q'"));
  CHECK_THAT(in_zone("<pear id='p'/>"), Contains("<pear> is not supported"));
  CHECK_THAT(in_zone("<host id='b' speed='1f'><disk id='d'/></host>"), Contains("read_bw"));
  CHECK_THAT(in_zone("<cluster id='c' topology='TORUS'/>"), Contains("prefix"));
  CHECK_THAT(mistake_in("<platform version='4.1'><config><prop id='network/model' value='IB'/>"
                        "</config></platform>"),
             Contains("'network/model'"));
  CHECK_THAT(mistake_in("<platform version='4.1'/>"), Contains("no host"));
}

}  // namespace platform_test
