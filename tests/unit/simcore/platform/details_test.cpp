// SPDX-License-Identifier: MIT
//
// What platform files say beside names and routes: disks, speed states, traces, actors, settings.
#include <catch2/catch.hpp>

#include "simcore/platform.hpp"
#include "tests/support/platform_texts.hpp"
#include "tests/support/temporary_file.hpp"

using namespace rehearse;
using namespace rehearse::testing;

namespace {

HostId host(const Platform& platform, const std::string& name) { return platform.find_host(name).value(); }
LinkId link(const Platform& platform, const std::string& name) { return platform.find_link(name).value(); }

}  // namespace

TEST_CASE("platform: hosts have disks, speed states and properties", "[simcore][platform]") {
  const Platform platform = zone_platform("Full", R"(
    <prop id="author" value="me"/>
    <host id="a" speed="100Mf,50.0Mf,  0f" pstate="1" core="3">
      <prop id="watts" value="1:2"/>
      <disk id="d" read_bw="100MBps" write_bw="40MBps"><prop id="size" value="1GB"/></disk>
      <disk id="e" read_bw="10MBps" write_bw="40MBps"/></host>
    <host id="b" speed="1Gf"/>
    <link id="l" bandwidth="1MBps" latency="0"><prop id="kind" value="wire"/></link>)");
  const HostId a = host(platform, "a"), b = host(platform, "b");
  CHECK(platform.host(a).flops_per_second == 5e7);
  CHECK(platform.initial_pstate(a) == 1);
  CHECK(platform.speeds(a).size() == 3);
  CHECK(platform.speeds(a)[2] == 0);
  CHECK(platform.speeds(b).size() == 1);
  CHECK(platform.speeds(b)[0] == 1e9);
  REQUIRE(platform.disks_of(a).size() == 2);
  CHECK(platform.disks_of(b).empty());
  const Disk& e = platform.disk(platform.find_disk(a, "e").value());
  CHECK(e.read_bytes_per_second == 1e7);
  CHECK(e.total_bytes_per_second == 4e7);
  CHECK(e.host == a);
  CHECK_FALSE(platform.find_disk(b, "e"));
  CHECK(platform.properties(platform.find_disk(a, "d").value())->at("size") == "1GB");
  CHECK(platform.properties(a)->at("watts") == "1:2");
  CHECK(platform.properties(b) == nullptr);
  CHECK(platform.properties(link(platform, "l"))->at("kind") == "wire");
  CHECK(platform.properties(ZoneId{0})->at("author") == "me");
}

TEST_CASE("platform: a cluster's properties and speeds are those of its hosts", "[simcore][platform]") {
  const Platform platform =
      platform_with("<cluster id='c' prefix='n' suffix='' radical='0-99' speed='2Gf,1Gf' bw='1GBps' lat='0'>"
                    "<prop id='watts' value='7'/></cluster>");
  CHECK(platform.properties(HostId{0})->at("watts") == "7");
  CHECK(platform.properties(HostId{99})->at("watts") == "7");
  CHECK(platform.properties(ZoneId{0})->at("watts") == "7");
  CHECK(platform.speeds(HostId{50}).size() == 2);
}

TEST_CASE("platform: traces come from files and from the text, and several resources can share one",
          "[simcore][platform]") {
  const TemporaryFile trace("0 1\n5 0.5\nLOOPAFTER 5\n");
  const Platform platform = zone_platform("Full", "<host id='a' speed='1Gf' speed_file='" + trace.path() +
                                                      "'/>"
                                                      "<host id='b' speed='1Gf' availability_file='" +
                                                      trace.path() + "' state_file='" + trace.path() +
                                                      "'/><host id='c' speed='1Gf'/>"
                                                      "<link id='l' bandwidth='1MBps' latency_file='" +
                                                      trace.path() +
                                                      "'/>"
                                                      "<link id='m' bandwidth='1MBps' sharing_policy='SPLITDUPLEX'/>"
                                                      "<trace id='t' periodicity='7'>\n1 3e6\n2 0\n</trace>"
                                                      "<trace_connect kind='BANDWIDTH' trace='t' element='l'/>"
                                                      "<trace_connect kind='BANDWIDTH' trace='t' element='m'/>"
                                                      "<trace_connect kind='HOST_AVAIL' trace='t' element='c'/>"
                                                      "<trace_connect trace='t' element='c'/>");
  const Profile* speed = platform.speed_profile(host(platform, "a"));
  REQUIRE(speed != nullptr);
  CHECK(speed->period() == 10);
  CHECK(platform.speed_profile(host(platform, "b")) == speed);  // read once
  CHECK(platform.state_profile(host(platform, "b")) == speed);
  CHECK(platform.latency_profile(link(platform, "l")) == speed);
  const Profile* inside = platform.bandwidth_profile(link(platform, "l"));
  REQUIRE(inside != nullptr);
  CHECK(inside->period() == 7);
  CHECK(inside->points().size() == 2);
  CHECK(platform.bandwidth_profile(link(platform, "m_UP")) == inside);
  CHECK(platform.bandwidth_profile(link(platform, "m_DOWN")) == inside);
  CHECK(platform.state_profile(host(platform, "c")) == inside);
  CHECK(platform.speed_profile(host(platform, "c")) == inside);
  CHECK(platform.state_profile(link(platform, "l")) == nullptr);
}

TEST_CASE("platform: actors are deployed by the platform's file, or by a separate file", "[simcore][platform]") {
  const std::string actors = "<actor host='a' function='master' start_time='2' kill_time='9' on_failure='RESTART'>"
                             "<argument value='10'/><argument value='x y'/><prop id='k' value='v'/></actor>"
                             "<process host='b' function='worker'/>";
  const std::string zone = "<zone id='z' routing='Full'><host id='a' speed='1Gf'/>"
                           "<host id='b' speed='1Gf'/></zone>";
  const Platform platform = platform_with(zone + actors);
  const TemporaryFile deployment("<platform version='4.1'>" + actors + "</platform>");
  const Platform bare = platform_with(zone);
  auto apart = read_deployment(deployment.path(), bare);
  REQUIRE(apart);
  CHECK(bare.actors().empty());
  for (const std::vector<DeployedActor>& list :
       {std::vector(platform.actors().begin(), platform.actors().end()), apart.value()}) {
    REQUIRE(list.size() == 2);
    CHECK(list[0].function == "master");
    CHECK(list[0].host == HostId{0});
    CHECK(list[0].arguments == std::vector<std::string>{"10", "x y"});
    CHECK(list[0].properties.at("k") == "v");
    CHECK(list[0].start_seconds == 2);
    CHECK(list[0].kill_seconds == 9);
    CHECK(list[0].is_restarted);
    CHECK(list[1].host == HostId{1});
    CHECK(list[1].start_seconds == 0);
    CHECK_FALSE(list[1].kill_seconds);
    CHECK_FALSE(list[1].is_restarted);
  }
  const TemporaryFile wrong("<platform version='4.1'>\n<actor host='q' function='f'/></platform>");
  CHECK_THAT(read_deployment(wrong.path(), bare).error().text,
             Catch::Contains(":2:") && Catch::Contains("no host 'q'"));
}

TEST_CASE("platform: settings of models in the file are kept for the choice of models", "[simcore][platform]") {
  const Platform platform = platform_with(R"(<config id="General">
      <prop id="network/model" value="CM02"/> <prop id="network/crosstraffic" value="no"/>
      <prop id="network/TCP-gamma" value="65536"/> <prop id="network/weight-S" value="0"/>
      <prop id="network/latency-factor" value="10.4"/>
      <prop id="network/bandwidth-factor" value="0:0.8;1024:0.9"/>
      <prop id="network/loopback-bw" value="1MBps"/> <prop id="network/loopback-lat" value="2us"/>
      <prop id="host/model" value="ptask_L07"/> <prop id="cpu/optim" value="TI"/>
      <prop id="tracing" value="yes"/></config>
    <zone id="z" routing="Full"><host id="a" speed="1Gf"/></zone>)");
  const PlatformSettings& settings = platform.settings();
  CHECK(settings.network_model == "cm02");
  CHECK(settings.cross_traffic == false);
  CHECK(settings.window_bytes == 65536);
  CHECK(settings.weight_bytes == 0);
  CHECK(settings.latency_factor == "10.4");
  CHECK(settings.bandwidth_factor == "0:0.8;1024:0.9");
  CHECK(settings.parallel_tasks == true);
  const Link& loopback = platform.link(link(platform, "__loopback__"));
  CHECK(loopback.bytes_per_second == 1e6);
  CHECK(loopback.latency_seconds == 2e-6);
}

TEST_CASE("platform: numbers without unit are in the base unit", "[simcore][platform]") {
  const Platform platform = zone_platform("Full", "<host id='a' speed='5'/><link id='l' bandwidth='7' latency='3'/>");
  CHECK(platform.hosts()[0].flops_per_second == 5);
  CHECK(platform.links()[0].bytes_per_second == 7);
  CHECK(platform.links()[0].latency_seconds == 3);
}
