// SPDX-License-Identifier: MIT
//
// Who of a collective needs whom, and when two members agree.
#include <catch2/catch.hpp>

#include <string>

#include "simcore/collective_flow.hpp"

using namespace rehearse;

namespace {

// Whom each member needs, as rows of a table: "x" needs, "." does not.
std::string table(Flow flow, std::uint32_t root, std::uint32_t first, std::size_t members) {
  std::string rows;
  for (std::size_t self = 0; self < members; ++self) {
    for (std::size_t other = 0; other < members; ++other) rows += needs(flow, root, first, self, other) ? 'x' : '.';
    rows += self + 1 < members ? " " : "";
  }
  return rows;
}

Collective giving(std::uint64_t signature, std::uint64_t gives, std::uint64_t takes) {
  Collective collective;
  collective.signature = signature;
  collective.groups = {2, gives, takes};
  return collective;
}

}  // namespace

TEST_CASE("collective flow: between two groups no member needs data of its own group", "[simcore][collective]") {
  CHECK(table(Flow::all_to_all, 0, 0, 3) == "xxx xxx xxx");
  CHECK(table(Flow::all_to_all, 0, 1, 3) == ".xx x.. x..");
  CHECK(table(Flow::root_to_all, 1, 2, 4) == ".... .... .x.. .x..");
  CHECK(table(Flow::all_to_root, 2, 2, 4) == ".... .... xx.. ....");
  CHECK(table(Flow::root_to_all, another_root, 2, 3) == "... ... ...");
  CHECK(table(Flow::all_to_root, another_root, 2, 3) == "... ... ...");
}

TEST_CASE("collective flow: claims about the root agree when one member can be meant", "[simcore][collective]") {
  // Members 0 and 1 are one group, 2 and 3 the other.
  const auto agree = [](RootClaim a, RootClaim b) {
    CHECK(agree_on_root(2, a, b) == agree_on_root(2, b, a));
    return agree_on_root(2, a, b);
  };
  CHECK(agree({0, 0}, {2, 0}));
  CHECK_FALSE(agree({0, 0}, {2, 1}));
  CHECK(agree({1, another_root}, {0, 0}));
  CHECK(agree({1, another_root}, {2, 0}));
  CHECK_FALSE(agree({0, another_root}, {2, 0}));
  CHECK_FALSE(agree({0, another_root}, {2, 2}));
  CHECK(agree({0, another_root}, {1, another_root}));
  CHECK_FALSE(agree({0, another_root}, {3, another_root}));
}

TEST_CASE("collective flow: the data that a member gives is compared with the data that the other group takes",
          "[simcore][collective]") {
  CHECK_FALSE(clash_of(giving(0, 5, 7), 0, giving(0, 7, 5), 2));
  CHECK_FALSE(clash_of(giving(0, 5, 0), 0, giving(0, 7, 5), 2));
  CHECK(clash_of(giving(0, 5, 7), 0, giving(0, 5, 7), 2));
  CHECK(clash_of(giving(0, 5, 7), 0, giving(0, 8, 5), 2));
  CHECK_FALSE(clash_of(giving(3, 5, 7), 0, giving(3, 6, 8), 1));
  CHECK(clash_of(giving(3, 5, 7), 0, giving(4, 5, 7), 1));
  CHECK_FALSE(clash_of(giving(3, 5, 7), 0, giving(4, 7, 5), 3));
}
