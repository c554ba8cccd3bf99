// SPDX-License-Identifier: MIT
//
// Sets of actors give their lowest member, across the words that they are made of.
#include "mc/reduction/actor_set.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "simcore/support/random.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::reduction;

namespace {

std::vector<std::uint32_t> emptied(ActorSet set) {
  std::vector<std::uint32_t> members;
  while (set.lowest() != ActorSet::nobody) {
    members.push_back(set.lowest());
    set.remove(members.back());
  }
  return members;
}

}  // namespace

TEST_CASE("actor set: a new set contains exactly all actors", "[mc][actor_set]") {
  for (const std::uint32_t actors : {0u, 1u, 63u, 64u, 65u, 128u, 200u}) {
    const std::vector<std::uint32_t> members = emptied(ActorSet(actors));
    REQUIRE(members.size() == actors);
    for (std::uint32_t a = 0; a < actors; ++a) CHECK(members[a] == a);
  }
}

TEST_CASE("actor set: it behaves like a set after any additions and removals", "[mc][actor_set][fuzz]") {
  for (const std::uint32_t actors : {3u, 64u, 130u}) {
    SplitMix chance(actors);
    ActorSet set(actors);
    std::set<std::uint32_t> judge;
    for (std::uint32_t a = 0; a < actors; ++a) judge.insert(a);
    for (int step = 0; step < 500; ++step) {
      const auto actor = static_cast<std::uint32_t>(chance.below(actors));
      if (chance.below(3) == 0) {
        set.add(actor);
        judge.insert(actor);
      } else {
        set.remove(actor);
        judge.erase(actor);
      }
      REQUIRE(set.lowest() == (judge.empty() ? ActorSet::nobody : *judge.begin()));
    }
    set.add_all();
    CHECK(emptied(set).size() == actors);
  }
}
