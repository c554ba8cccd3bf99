// SPDX-License-Identifier: MIT
//
// Placement of ranks by rules and by files.
#include "app/rank_map.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "tests/support/temporary_file.hpp"

using namespace rehearse;
using namespace rehearse::app;
using rehearse::testing::TemporaryFile;

namespace {

// Hosts a, b, c with 2, 1 and 2 cores.
Platform three_hosts() {
  const TemporaryFile file("<platform version='4.1'><zone id='z' routing='Full'><host id='a' speed='1Gf' core='2'/>"
                           "<host id='b' speed='1Gf'/><host id='c' speed='1Gf' core='2'/></zone></platform>");
  return std::move(make_platform(file.path()).value());
}

std::vector<std::uint32_t> map_of(const std::string& map, std::uint32_t ranks) {
  const auto made = map_ranks(map, three_hosts(), ranks);
  if (!made) FAIL(made.error().text);
  std::vector<std::uint32_t> hosts;
  for (const HostId host : made.value()) hosts.push_back(host.value);
  return hosts;
}

}  // namespace

TEST_CASE("rank map: block fills cores, cyclic takes turns", "[app]") {
  CHECK(map_of("block", 7) == std::vector<std::uint32_t>{0, 0, 1, 2, 2, 0, 0});
  CHECK(map_of("block", 2) == std::vector<std::uint32_t>{0, 0});
  CHECK(map_of("cyclic", 5) == std::vector<std::uint32_t>{0, 1, 2, 0, 1});
}

TEST_CASE("rank map: random is a fair order of its seed", "[app]") {
  CHECK(map_of("random:1", 6) == map_of("random:1", 6));
  std::map<std::vector<std::uint32_t>, int> orders;
  for (int seed = 0; seed < 600; ++seed) {
    auto hosts = map_of("random:" + std::to_string(seed), 3);
    ++orders[hosts];
    std::ranges::sort(hosts);
    CHECK(hosts == std::vector<std::uint32_t>{0, 1, 2});
  }
  CHECK(orders.size() == 6);
  for (const auto& [order, count] : orders) CHECK((count > 60 && count < 140));  // 100 on average, 4.4 deviations
}

TEST_CASE("rank map: a file names the host of each rank", "[app]") {
  const TemporaryFile good("# map\n2 a\n0 c # last\n1 b\n");
  CHECK(map_of(good.path(), 3) == std::vector<std::uint32_t>{2, 1, 0});
  for (const char* text :
       {"0 a\n1 b\n", "0 a\n1 b\n1 c\n2 a\n", "0 a\n1 b\n3 c\n", "0 a\n1 b\n2 d\n", "0\n", "0 a b\n", "x a\n"}) {
    INFO(text);
    const TemporaryFile wrong(text);
    CHECK_FALSE(map_ranks(wrong.path(), three_hosts(), 3));
  }
  CHECK_FALSE(map_ranks("random:x", three_hosts(), 3));
  CHECK_FALSE(map_ranks("no-such-file", three_hosts(), 3));
}
