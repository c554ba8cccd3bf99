// SPDX-License-Identifier: MIT
//
// Groups of ranks that others start, as text.
#include "smpi/spawned_group.hpp"

#include <catch2/catch.hpp>

namespace spawned_group_test {

using namespace rehearse;
using namespace rehearse::smpi;

TEST_CASE("spawned group: its text means the same group", "[smpi][spawn]") {
  SpawnedGroup group{{3}, 2, {}};
  group.commands.push_back({4, "./a b", {"./a b", "", "x,y~z%", "\xc3\xa4\n"}, "/some/folder", "host-1.net"});
  group.commands.push_back({1, "/usr/bin/c", {"c"}, "", ""});
  const std::string text = to_text(group);
  CHECK(text.find(' ') == std::string::npos);
  REQUIRE(parse_spawned_group(text));
  CHECK(*parse_spawned_group(text) == group);
  CHECK(group.ranks() == 5);
  CHECK(ranks_of({group, group}) == 10);
}

TEST_CASE("spawned group: another text is refused", "[smpi][spawn]") {
  const std::string good = to_text({{0}, 0, {{1, "./a", {"./a"}, "", ""}}});
  REQUIRE(parse_spawned_group(good));
  for (const std::string bad : {"", "0.0", "0.0~", "x.0~1,,,./a,./a", "0.0~0,,,./a,./a", "0.0~1,,,,./a", "0.0~1,,,./a",
                                "0.0~1,,,./a,%4", "0.0~1,,,./a,%GG", "0.0~99999999999,,,./a,./a"})
    CHECK_FALSE(parse_spawned_group(bad));
  CHECK_FALSE(parse_spawned_group(good + " "));
  for (std::size_t length = 0; length < good.size() - 3; ++length)
    CHECK_FALSE(parse_spawned_group(good.substr(0, length)));
}

}  // namespace spawned_group_test
