// SPDX-License-Identifier: MIT
//
// Steps of message programs that touch nothing in common can change places and lead to the same; and groups are
// reported from message programs.
#include "mc/reduction/message_steps.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>

#include "mc/reduction/group_steps.hpp"
#include "tests/support/graphs.hpp"
#include "tests/support/random_litmus.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::reduction;
using mc::history::Hash128;
using tests::World;

namespace {

std::vector<Step> listed(Steps& steps) {
  std::vector<Step> list;
  steps.list(list);
  return list;
}

// Where both orders of two steps lead; nothing where one keeps the other from happening.
std::optional<Hash128> after_both(MessageSteps& steps, const Step& first, const Step& second) {
  Step one = first;
  steps.take(one);
  std::optional<Hash128> state;
  for (Step& step : listed(steps)) {
    if (!step.is(second)) continue;
    steps.take(step);
    state = steps.moves().state();
    steps.take_back();
    break;
  }
  steps.take_back();
  return state;
}

}  // namespace

TEST_CASE("message steps: independent steps lead to the same state in either order", "[mc][message_steps][fuzz]") {
  std::size_t independent = 0, dependent_ones = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    tests::LitmusShape shape;
    shape.waitany = seed % 2 == 0;
    shape.probes = seed % 3 == 0;
    shape.cancels = seed % 5 == 0;
    shape.takes = seed % 7 == 0;
    shape.collectives = seed % 4 == 0;
    shape.modes = seed % 3 == 1;
    const std::string text = random_litmus(seed, shape);
    const Policy policies[] = {Policy{}, Policy{0, false}, Policy{4, false}, Policy{0, true}};
    World world(text);
    std::vector<bool> recalling;
    MessageSteps steps(world.history(), world.actors(), policies[seed % 4], 1, recalling);
    INFO(text << to_text(policies[seed % 4]));
    SplitMix chance(seed);
    for (int depth = 0; depth < 40; ++depth) {
      std::vector<Step> list = listed(steps);
      if (list.empty() || steps.is_outdated()) break;
      for (std::size_t i = 0; i < list.size(); ++i)
        for (std::size_t j = i + 1; j < list.size(); ++j) {
          if (list[i].who == list[j].who) continue;
          if (dependent(list[i].footprint, list[j].footprint)) {
            ++dependent_ones;
            continue;
          }
          const auto one = after_both(steps, list[i], list[j]), other = after_both(steps, list[j], list[i]);
          REQUIRE(one);
          REQUIRE(other);
          CHECK(*one == *other);
          ++independent;
        }
      steps.take(list[chance.below(list.size())]);
    }
  }
  CHECK(independent > 500);
  CHECK(dependent_ones > 20);
}

TEST_CASE("message steps: each step can be undone", "[mc][message_steps]") {
  World world("0: recv * 0 ; recv * 0\n1: send 0 0\n2: send 0 0\n");
  std::vector<bool> recalling;
  MessageSteps steps(world.history(), world.actors(), Policy{}, 1, recalling);
  const Hash128 start = steps.moves().state();
  std::size_t taken = 0;
  for (std::vector<Step> list = listed(steps); !list.empty(); list = listed(steps), ++taken) steps.take(list.front());
  CHECK(taken > 6);
  for (; taken > 0; --taken) steps.take_back();
  CHECK(steps.moves().state() == start);
}

TEST_CASE("message steps: a receive is a doer that chooses its message", "[mc][message_steps]") {
  World world("0: recv * 0\n1: send 0 0\n2: send 0 0\n");
  std::vector<bool> recalling;
  MessageSteps steps(world.history(), world.actors(), Policy{0, false}, 1, recalling);
  CHECK(steps.doers_choose());
  const std::uint64_t doers[] = {listed(steps)[0].who, listed(steps)[1].who, listed(steps)[2].who};
  for (const std::uint64_t who : doers)  // all start
    for (Step& step : listed(steps))
      if (step.who == who) {
        steps.take(step);
        break;
      }
  const std::vector<Step> matches = listed(steps);
  REQUIRE(matches.size() == 2);
  CHECK(matches[0].who == matches[1].who);
  CHECK(matches[0].what != matches[1].what);
  CHECK(dependent(matches[0].footprint, matches[1].footprint));
}

TEST_CASE("group steps: they need one group that reports the accesses of its ways", "[mc][message_steps]") {
  World two("0: choose 2\n1: choose 2\n"), one("0: choose 2\n"), other("0: send 0 0\n");
  CHECK_FALSE(GroupSteps::suits(two.history(), two.actors()));
  CHECK_FALSE(GroupSteps::suits(one.history(), one.actors()));  // it does not say
  CHECK_FALSE(GroupSteps::suits(other.history(), other.actors()));
}
