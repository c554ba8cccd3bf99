// SPDX-License-Identifier: MIT
//
// Maps of built-in platforms, and their bytes.
#include "simcore/use_map.hpp"

#include <catch2/catch.hpp>

#include "simcore/platform_text.hpp"

namespace use_map_test {

using namespace rehearse;

namespace {

UseMap map_of_cluster() {
  const Platform platform = std::move(make_platform("cluster:3").value());
  UseTable uses;
  uses.slices = 700;
  uses.slice = {2'000'000};
  uses.end = {1'399'000'000};
  uses.categories = {"", "a"};
  uses.hosts = {{0, 1, {{0, 1.5}, {699, 2}}}, {2, 0, {{5, 3}}}};
  uses.links = {{1, 1, {{7, 0.25}}}};
  return map_of(platform, uses);
}

}  // namespace

TEST_CASE("use map: it has the zones, hosts, links and wires of the platform", "[simcore][use]") {
  const Platform platform = std::move(make_platform("cluster:3").value());
  const UseMap map = map_of_cluster();
  REQUIRE(map.hosts.size() == 3);
  CHECK(map.hosts[1].name == platform.hosts()[1].name);
  CHECK(map.links.size() == platform.links().size());
  CHECK(map.zones.front().parent == MapZone::none);
  std::size_t ends_at_hosts = 0;
  for (const MapWire& wire : map.wires) ends_at_hosts += (wire.from < 3) + (wire.to < 3);
  CHECK(ends_at_hosts == 3);
  CHECK(map.host_work() == 6.5);
  CHECK(map.link_work() == 0.25);
}

TEST_CASE("use map: platforms without a single outermost zone get one", "[simcore][use]") {
  const char* text = "<platform version='4.1'><zone id='w' routing='Full'><host id='x' speed='1Gf'/></zone></platform>";
  const auto platform = platform_from_text("one.xml", text);
  REQUIRE(platform);
  const UseMap map = map_of(platform.value(), {});
  REQUIRE(map.zones.size() == 1);
  CHECK(map.zones[0].name == "w");
  CHECK(map.hosts[0].zone == 0);
}

TEST_CASE("use map: its bytes are read back, and no part of them is", "[simcore][use]") {
  const UseMap map = map_of_cluster();
  const std::string bytes = to_bytes(map);
  UseMap again;
  REQUIRE(from_bytes(bytes, again));
  CHECK(to_bytes(again) == bytes);
  for (std::size_t length = 0; length < bytes.size(); ++length)
    if (from_bytes(std::string_view(bytes).substr(0, length), again)) FAIL("read " << length << " bytes");
}

TEST_CASE("use map: bytes with a number out of range make no sense", "[simcore][use]") {
  UseMap again;
  const auto is_read = [&](auto change) {
    UseMap map = map_of_cluster();
    change(map);
    return from_bytes(to_bytes(map), again);
  };
  CHECK(is_read([](UseMap&) {}));
  CHECK(!is_read([](UseMap& map) { map.uses.hosts[0].subject = 3; }));
  CHECK(!is_read([](UseMap& map) { map.uses.hosts[0].category = 2; }));
  CHECK(!is_read([](UseMap& map) { map.uses.links[0].cells[0].slice = 700; }));
  CHECK(!is_read([](UseMap& map) { map.wires[0].links = {99}; }));
  CHECK(!is_read([](UseMap& map) { map.hosts[0].zone = 17; }));
  CHECK(!is_read([](UseMap& map) { map.zones.back().parent = 17; }));
}

}  // namespace use_map_test
