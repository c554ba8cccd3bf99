// SPDX-License-Identifier: MIT
//
// Communicators that the ranks of a trace make: their order, and the work for many ranks.
#include "trace/communicators.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace rehearse::trace {
namespace communicators_test {
namespace {

std::vector<std::uint32_t> members_of(const Communicators& all, std::uint32_t communicator) {
  std::vector<std::uint32_t> ranks;
  for (const ActorId member : all.members(communicator)) ranks.push_back(member.value);
  return ranks;
}

TEST_CASE("communicators: members come in the order of their keys, and a negative colour makes none") {
  const auto made = Communicators::make({{{0, 1, 5, 7}}, {{0, 1, 2, 8}}, {{0, -1, 0, 9}}, {{0, 0, 0, 7}}});
  REQUIRE(made);
  REQUIRE(made.value().size() == 3);
  CHECK(members_of(made.value(), 1) == std::vector<std::uint32_t>{3});
  CHECK(members_of(made.value(), 2) == std::vector<std::uint32_t>{1, 0});
  CHECK(made.value().made_by(2, 0) == nullptr);
  CHECK(made.value().made_by(0, 0)->member == 1);
}

TEST_CASE("communicators: a communicator is made when all of its members have come to their call on it") {
  // Ranks 0 and 1 make one of their own before rank 2 joins them in the world.
  const Split pair{0, 1, 0, 5}, other{0, 0, 0, 5}, inner{5, 0, 0, 6}, again{0, 0, 0, 7, true};
  const auto made = Communicators::make({{pair, inner, again}, {pair, inner, again}, {other, again}});
  REQUIRE(made);
  CHECK(made.value().size() == 5);
  CHECK(members_of(made.value(), made.value().made_by(1, 1)->communicator) == std::vector<std::uint32_t>{0, 1});
  CHECK(members_of(made.value(), made.value().made_by(2, 1)->communicator) == std::vector<std::uint32_t>{0, 1, 2});
}

TEST_CASE("communicators: the work for many ranks is proportional to their number") {
  // Looking for the rank that does not come once for each of the others would take minutes.
  constexpr std::uint32_t ranks = 60'000;
  std::vector<std::vector<Split>> splits(ranks, {Split{0, 0, 0, 1}, Split{1, 0, 0, 2}});
  const auto made = Communicators::make(splits);
  REQUIRE(made);
  CHECK(made.value().size() == 3);
  CHECK(made.value().members(2).size() == ranks);
  splits.back().pop_back();
  const auto missing = Communicators::make(splits);
  REQUIRE_FALSE(missing);
  CHECK(missing.error().text.ends_with("splits or duplicates communicator 1, but rank 59999, a member, never does"));
}

}  // namespace
}  // namespace communicators_test
}  // namespace rehearse::trace
