// SPDX-License-Identifier: MIT
//
// Extracted platforms: the same hosts, links and routes; what cannot be written is refused by name.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "simcore/platform/extraction/comparison.hpp"
#include "simcore/platform_extraction.hpp"
#include "simcore/platform_generator.hpp"
#include "simcore/platform_text.hpp"
#include "tests/support/temporary_file.hpp"

using namespace rehearse;

namespace {

Platform made(const std::string& name) {
  auto platform = make_platform(name);
  if (!platform) FAIL(platform.error().text);
  return std::move(platform.value());
}

Platform read(const std::string& text) {
  auto platform = platform_from_text("text", text);
  if (!platform) FAIL(platform.error().text);
  return std::move(platform.value());
}

std::vector<HostId> every(const Platform& platform, std::uint32_t step, std::uint32_t first = 0) {
  std::vector<HostId> hosts;
  for (std::uint32_t i = first; i < platform.hosts().size(); i += step) hosts.push_back({i});
  return hosts;
}

// Independent of the comparison in the code under test.
void check_same_routes(const Platform& whole, const std::vector<HostId>& hosts, const Platform& part) {
  REQUIRE(part.hosts().size() == hosts.size());
  for (const HostId a : hosts)
    for (const HostId b : hosts) {
      const auto x = part.find_host(whole.host(a).name), y = part.find_host(whole.host(b).name);
      REQUIRE((x && y));
      const auto expected = whole.find_route(a, b), found = part.find_route(*x, *y);
      REQUIRE(expected.has_value() == found.has_value());
      if (!expected) continue;
      REQUIRE(found->latency_seconds == expected->latency_seconds);
      REQUIRE(found->links.size() == expected->links.size());
      for (std::size_t i = 0; i < found->links.size(); ++i) {
        const Link &one = whole.link(expected->links[i]), &two = part.link(found->links[i]);
        REQUIRE(two.name == one.name);
        REQUIRE(two.bytes_per_second == one.bytes_per_second);
        REQUIRE(two.latency_seconds == one.latency_seconds);
        REQUIRE(two.sharing == one.sharing);
      }
    }
}

ExtractedPlatform extracted(const std::string& name, const Platform& platform, const std::vector<HostId>& hosts) {
  auto result = extract_platform(name, platform, hosts);
  if (!result) FAIL(result.error().text);
  check_same_routes(platform, hosts, read(result.value().text));
  return result.value();
}

std::string refusal(const std::string& text, const std::vector<HostId>& hosts) {
  const rehearse::testing::TemporaryFile file(text);
  const auto result = extract_platform(file.path(), made(file.path()), hosts);
  return result ? "none" : result.error().text;
}

const std::string two_sites = R"(<platform version="4.1">
<config id="General"><prop id="network/loopback-lat" value="1us"/><prop id="network/TCP-gamma" value="1000"/></config>
<zone id="w" routing="Full">
  <cluster id="a" prefix="a-" suffix=".x" radical="0-9,20-29" speed="1Gf" bw="1GBps" lat="10us" bb_bw="5GBps"
           bb_lat="2us" limiter_link="3GBps" loopback_bw="4GBps" loopback_lat="1us" core="4"/>
  <cluster id="b" prefix="b-" suffix="" radical="1-8" speed="2Gf,1Gf" pstate="1" bw="2GBps" lat="20us"
           sharing_policy="SHARED"><prop id="rack" value="7 &amp; 8"/></cluster>
  <zone id="c" routing="Full"><host id="lone" speed="5Gf"><disk id="d" read_bw="1MBps" write_bw="2MBps">
    <prop id="kind" value="ssd"/></disk><prop id="k" value="&lt;v&gt;"/></host></zone>
  <link id="wan" bandwidth="1GBps" latency="5ms"/>
  <link id="out" bandwidth="1GBps" latency="1ms" sharing_policy="FATPIPE"/>
  <link id="two" bandwidth="3GBps" latency="1ms" sharing_policy="SPLITDUPLEX"/>
  <zoneRoute src="a" dst="b" gw_src="a-a_router.x" gw_dst="b-b_router"><link_ctn id="wan"/></zoneRoute>
  <zoneRoute src="a" dst="c" gw_src="a-a_router.x" gw_dst="lone"><link_ctn id="two" direction="UP"/></zoneRoute>
  <zoneRoute src="b" dst="c" gw_src="b-b_router" gw_dst="lone" symmetrical="NO"><link_ctn id="out"/></zoneRoute>
  <zoneRoute src="c" dst="b" gw_src="lone" gw_dst="b-b_router" symmetrical="NO"><link_ctn id="wan"/></zoneRoute>
</zone>
<trace id="t" periodicity="10">0 1
5 0.5</trace>
<trace_connect kind="SPEED" trace="t" element="lone"/><trace_connect kind="BANDWIDTH" trace="u" element="wan"/>
<trace id="u" periodicity="0">STOCHASTIC LOOP
EXP 0.5 UNIF 1e8 2e8</trace>
<actor host="lone" function="f" start_time="2" kill_time="9" on_failure="RESTART"><argument value="x &amp; y"/></actor>
<actor host="a-0.x" function="g"/>
</platform>)";

}  // namespace

TEST_CASE("extraction: routes of built-in platforms stay the same", "[simcore][platform]") {
  const std::string name =
      GENERATE("cluster:20", "crossbar:9", "fat-tree:16", "torus:3x4x2", "dragonfly:3x4x2x2", "laptop");
  const Platform platform = made(name);
  for (const std::uint32_t step : {1u, 3u}) extracted(name, platform, every(platform, step));
}

TEST_CASE("extraction: routes of generated platforms stay the same", "[simcore][platform]") {
  GeneratorOptions options;
  options.kind = GENERATE(GeneratorOptions::Kind::waxman, GeneratorOptions::Kind::transit_stub);
  options.nodes = 60;
  if (options.kind == GeneratorOptions::Kind::transit_stub) options.sizes = {2, 2, 2, 5};
  options.promoters = {{Promoter::Role::cluster, 3, 99, 0.6}, {Promoter::Role::host, 0, 99, 1}};
  options.cluster_hosts = {3, 6};
  const rehearse::testing::TemporaryFile file(generate_platform(options).value());
  const Platform platform = made(file.path());
  const ExtractedPlatform part = extracted(file.path(), platform, every(platform, 2, 1));
  CHECK(part.zones > 2);
}

TEST_CASE("extraction: flat clusters stay clusters of the kept hosts", "[simcore][platform]") {
  const Platform platform = made("cluster:3000");
  const ExtractedPlatform part = extracted("cluster:3000", platform, every(platform, 7));
  CHECK(part.zones == 1);
  CHECK(part.routes == 0);
  CHECK(part.text.size() < 4000);
  CHECK_THAT(part.text, Catch::Contains("radical=\"0,7,14,"));
}

TEST_CASE("extraction: stars stay stars of the kept hosts", "[simcore][platform]") {
  const bool has_backbone = GENERATE(false, true);
  const bool has_loopback = GENERATE(false, true);
  std::string text = R"(<platform version="4.1"><zone id="w" routing="Full"><zone id="star" routing="Cluster">)";
  for (int i = 0; i < 40; ++i) {
    const std::string n = std::to_string(i);
    text += "<host id=\"h" + n + "\" speed=\"1Gf\"/><link id=\"up-" + n + "\" bandwidth=\"" + n + "1MBps\" latency=\"" +
            n + "us\"><prop id=\"k\" value=\"v\"/></link><link id=\"l" + n +
            "\" bandwidth=\"5MBps\" latency=\"1us\" sharing_policy=\"SPLITDUPLEX\"/><host_link id=\"h" + n +
            "\" up=\"up-" + n + "\" down=\"l" + n + "\"/>";
  }
  if (has_backbone) text += R"(<backbone id="bb" bandwidth="1GBps" latency="3us"><prop id="x" value="y"/></backbone>)";
  text += R"(<router id="r"/></zone><zone id="other" routing="Full"><host id="lone" speed="2Gf"/>)";
  if (has_loopback)
    text += R"(<link id="lo" bandwidth="1GBps" latency="0"/><route src="lone" dst="lone"><link_ctn id="lo"/></route>)";
  text += R"(</zone><link id="wan" bandwidth="1GBps" latency="1ms"/>
<zoneRoute src="star" dst="other" gw_src="r" gw_dst="lone"><link_ctn id="wan"/></zoneRoute></zone></platform>)";
  const rehearse::testing::TemporaryFile file(text);
  const Platform platform = made(file.path());
  std::vector<HostId> hosts = every(platform, 3);
  CHECK(extracted(file.path(), platform, hosts).zones == 1);
  if (hosts.back().value != 40) hosts.push_back({40});
  const ExtractedPlatform both = extracted(file.path(), platform, hosts);
  CHECK(both.zones == 1);
  CHECK(both.routes == (has_loopback ? 2u : 1u));
}

TEST_CASE("extraction: coordinates stay with their hosts", "[simcore][platform]") {
  const rehearse::testing::TemporaryFile file(R"(<platform version="4.1"><zone id="v" routing="Vivaldi">
<peer id="p" speed="1.5Gf" bw_in="1MBps" bw_out="2MBps" lat="0" coordinates="1 2.25 3"><prop id="k" value="v"/></peer>
<peer id="q" speed="1Gf" bw_in="3MBps" bw_out="3MBps" lat="0" coordinates="9 -2 0.1"/>
<host id="h" speed="1Gf,2Gf" core="4" coordinates="7 7 7"/>
<peer id="r" speed="1Gf" bw_in="1MBps" bw_out="1MBps" lat="0" coordinates="0 0 0"/></zone>
<trace id="t" periodicity="0">1 5e5</trace>
<trace_connect kind="BANDWIDTH" trace="t" element="link_p_UP"/></platform>)");
  const Platform platform = made(file.path());
  const ExtractedPlatform part = extracted(file.path(), platform, {{0}, {1}, {2}});
  CHECK(part.zones == 1);
  CHECK(part.routes == 0);
  const Platform loaded = read(part.text);
  CHECK(loaded.bandwidth_profile(*loaded.find_link("link_p_UP")) != nullptr);
  CHECK(loaded.properties(HostId{0})->at("k") == "v");
  CHECK(loaded.find_route({0}, {2})->latency_seconds > 0);
}

TEST_CASE("extraction: everything that a file says about kept hosts and links is kept", "[simcore][platform]") {
  const rehearse::testing::TemporaryFile file(two_sites);
  const Platform platform = made(file.path());
  // With 9 hosts left out, both clusters and the lone host.
  std::vector<HostId> hosts = every(platform, 1);
  hosts.erase(hosts.begin() + 3, hosts.begin() + 12);
  const ExtractedPlatform part = extracted(file.path(), platform, hosts);
  CHECK(part.zones == 2);
  CHECK_THAT(part.text, Catch::Contains("radical=\"0-2,22-29\""));
  const Platform loaded = read(part.text);
  const HostId lone = *loaded.find_host("lone"), b = *loaded.find_host("b-3");
  CHECK(loaded.speeds(b).size() == 2);
  CHECK(loaded.initial_pstate(b) == 1);
  CHECK(loaded.properties(b)->at("rack") == "7 & 8");
  CHECK(loaded.properties(lone)->at("k") == "<v>");
  const DiskId disk = loaded.find_disk(lone, "d").value();
  CHECK(loaded.disk(disk).write_bytes_per_second == 2e6);
  CHECK(loaded.properties(disk)->at("kind") == "ssd");
  CHECK(loaded.speed_profile(lone)->period() == 10);
  CHECK(loaded.speed_profile(lone)->points().size() == 2);
  const Profile* bandwidth = loaded.bandwidth_profile(*loaded.find_link("wan"));
  REQUIRE(bandwidth != nullptr);
  CHECK(bandwidth->is_stochastic());
  CHECK(bandwidth->repeats());
  CHECK(loaded.settings().window_bytes == 1000);
  REQUIRE(loaded.actors().size() == 2);
  CHECK(loaded.actors()[0].arguments == std::vector<std::string>{"x & y"});
  CHECK(loaded.actors()[0].kill_seconds == 9);
  CHECK(loaded.actors()[0].is_restarted);
  // Without the host of an actor, the actor goes.
  const std::vector<HostId> few = {hosts[1], hosts[12]};
  CHECK(read(extracted(file.path(), platform, few).text).actors().empty());
}

TEST_CASE("extraction: what a file cannot express is refused by name", "[simcore][platform]") {
  using Catch::Contains;
  CHECK_THAT(refusal(R"(<platform version="4.1"><zone id="z" routing="Wifi"><prop id="access_point" value="ap"/>
<link id="air" sharing_policy="WIFI" bandwidth="54Mbps,36Mbps" latency="0ms"/>
<host id="s" speed="1Gf"/><router id="ap"/></zone></platform>)",
                     {{0}}),
             Contains("host 's' is in a wifi zone"));
  CHECK_THAT(refusal(R"(<platform version="4.1"><zone id="w" routing="Vivaldi">
<zone id="a" routing="Full"><host id="p" speed="1Gf"/><router id="router_a" coordinates="1 2 3"/>
<link id="l" bandwidth="1GBps" latency="1ms"/><route src="p" dst="router_a"><link_ctn id="l"/></route></zone>
<peer id="q" speed="1Gf" bw_in="1MBps" bw_out="1MBps" lat="0" coordinates="9 2 3"/></zone></platform>)",
                     {{0}, {1}}),
             Contains("from 'p' to 'q'") && Contains("coordinates"));
  const Platform preset = made("cluster:4@ethernet-10g");
  CHECK_THAT(extract_platform("cluster:4@ethernet-10g", preset, every(preset, 1)).error().text,
             Contains("network 'ethernet-10g'"));
  const Platform ring = made("torus:600");
  CHECK_THAT(extract_platform("torus:600", ring, every(ring, 1)).error().text, Contains("more than 2000000 links"));
  const Platform large = made("cluster:6000");
  CHECK_THAT(extract_platform("cluster:6000", large, every(large, 1)).error().text, Contains("6000 hosts selected"));
}

TEST_CASE("extraction: the comparison sees differences of attributes and of routes", "[simcore][platform]") {
  const std::string pair = R"(<platform version="4.1"><zone id="z" routing="Full"><host id="a" speed="1Gf"/>
<host id="b" speed="1Gf"/><link id="l" bandwidth="1GBps" latency="1ms"/><link id="m" bandwidth="1GBps" latency="1ms"/>
<route src="a" dst="b"><link_ctn id="l"/></route></zone></platform>)";
  const Platform whole = read(pair);
  const std::vector<HostId> both = {{0}, {1}};
  const auto difference = [&](const std::string& from, const std::string& to) {
    std::string text = pair;
    text.replace(text.find(from), from.size(), to);
    return platform::first_difference(whole, both, read(text)).value_or("none");
  };
  CHECK(difference("1Gf", "1Gf") == "none");
  CHECK(difference("b\" speed=\"1Gf", "b\" speed=\"2Gf") == "host 'b'");
  CHECK(difference("1Gf\"/>", "1Gf\" core=\"2\"/>") == "host 'a'");
  CHECK(difference("1GBps", "2GBps") == "the route from 'a' to 'b'");
  CHECK(difference("1ms", "2ms") == "the route from 'a' to 'b'");
  CHECK(difference("ctn id=\"l\"", "ctn id=\"m\"") == "the route from 'a' to 'b'");
  CHECK(difference("dst=\"b\"", "dst=\"b\" symmetrical=\"NO\"") == "the route from 'b' to 'a'");
}
