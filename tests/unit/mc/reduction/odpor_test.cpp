// SPDX-License-Identifier: MIT
//
// Of toy programs of steps each order of dependent steps is explored once: known numbers, and all interleavings.
#include "mc/reduction/odpor.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "tests/support/toy_steps.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::reduction;
using tests::toy;
using tests::ToyProgram;
using tests::ToySteps;

namespace {

struct ExploredOrders {
  std::uint64_t executions = 0, stuck = 0, abandoned = 0, impossible = 0, taken = 0;
  std::set<std::string> orders;
  std::set<std::pair<std::uint64_t, std::uint64_t>> names;  // as Odpor distinguishes them
};

ExploredOrders explored_orders(const ToyProgram& program) {
  ToySteps steps(program);
  Odpor odpor(steps);
  ExploredOrders all;
  const bool is_whole = odpor.run(
      [&] {
        ++all.executions;
        all.stuck += !steps.is_over();
        all.orders.insert(tests::order_of(program, steps.taken()));
        all.names.insert({odpor.order().low, odpor.order().high});
        return true;
      },
      [] { return true; });
  CHECK(is_whole);
  CHECK(steps.taken().empty());  // everything was taken back
  all.abandoned = odpor.abandoned();
  all.impossible = odpor.impossible();
  all.taken = odpor.taken();
  return all;
}

}  // namespace

TEST_CASE("odpor: steps without a common object are explored in one order", "[mc][odpor]") {
  const ExploredOrders all = explored_orders(toy({"w1 r1", "w2", "r3 w3", "w4"}));
  CHECK(all.executions == 1);
  CHECK(all.taken == 6);
}

TEST_CASE("odpor: n writers of one object have n! orders", "[mc][odpor]") {
  std::uint64_t factorial = 1;
  for (std::size_t n = 1; n <= 5; ++n) {
    factorial *= n;
    CHECK(explored_orders(ToyProgram(n, toy({"w1"})[0])).executions == factorial);
  }
}

TEST_CASE("odpor: each of n readers reads before or after a writer", "[mc][odpor]") {
  for (std::size_t n = 0; n <= 6; ++n) {
    ToyProgram program(n, toy({"r1"})[0]);
    program.push_back(toy({"w1"})[0]);
    CHECK(explored_orders(program).executions == std::uint64_t{1} << n);
  }
}

TEST_CASE("odpor: n actors take a lock in all n! orders", "[mc][odpor]") {
  CHECK(explored_orders(toy({"a1 f1", "a1 f1"})).executions == 2);
  CHECK(explored_orders(toy({"a1 f1", "a1 f1", "a1 f1"})).executions == 6);
  CHECK(explored_orders(toy({"a1 w5 f1", "a1 w5 f1", "a1 f1"})).executions == 6);
}

TEST_CASE("odpor: locks taken in opposite orders deadlock in one order", "[mc][odpor]") {
  const ExploredOrders all = explored_orders(toy({"a1 a2 f2 f1", "a2 a1 f1 f2"}));
  CHECK(all.executions == 3);
  CHECK(all.stuck == 1);
  CHECK(all.orders == tests::all_orders_of(toy({"a1 a2 f2 f1", "a2 a1 f1 f2"})));
}

TEST_CASE("odpor: random programs are explored once for each order of their dependent steps", "[mc][odpor][fuzz]") {
  std::size_t orders = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    SplitMix chance(seed);
    const ToyProgram program = tests::random_toy(chance, 2 + seed % 3, seed % 3 == 2 ? 2 : 3, 1 + seed % 3);
    const ExploredOrders all = explored_orders(program);
    INFO("seed " << seed);
    CHECK(all.orders == tests::all_orders_of(program));
    CHECK(all.executions == all.orders.size());
    CHECK(all.abandoned == 0);
    CHECK(all.impossible == 0);
    CHECK(all.names.size() == all.orders.size());
    orders += all.orders.size();
  }
  CHECK(orders > 400);
}

TEST_CASE("odpor: random programs with locks miss no order", "[mc][odpor][fuzz]") {
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    SplitMix chance(seed);
    ToyProgram program(2 + seed % 2);
    for (auto& accesses : program) {  // each takes up to two locks, one in the other or one after the other
      const std::uint64_t one = 1 + chance.below(2), other = 3 - one;
      accesses.push_back({one, Access::acquires});
      const bool is_nested = chance.below(2) == 0;
      if (!is_nested) accesses.push_back({one, Access::frees});
      if (chance.below(2) == 0) accesses.push_back({5, chance.below(2) == 0 ? Access::reads : Access::writes});
      if (program.size() == 2) {
        accesses.push_back({other, Access::acquires});
        accesses.push_back({other, Access::frees});
      }
      if (is_nested) accesses.push_back({one, Access::frees});
    }
    const ExploredOrders all = explored_orders(program);
    INFO("seed " << seed);
    CHECK(all.orders == tests::all_orders_of(program));
    CHECK(all.executions == all.orders.size());
  }
}

TEST_CASE("odpor: a stopped exploration reports it and takes no more steps", "[mc][odpor]") {
  ToySteps steps(toy({"w1", "w1", "w1"}));
  Odpor odpor(steps);
  int visited = 0;
  CHECK_FALSE(odpor.run([&] { return ++visited < 4; }, [] { return true; }));
  CHECK(visited == 4);
  ToySteps again(toy({"w1", "w1", "w1"}));
  Odpor limited(again);
  std::uint64_t asked = 0;
  CHECK_FALSE(limited.run([] { return true; }, [&] { return ++asked <= 5; }));
  CHECK(limited.taken() == 5);
}

TEST_CASE("odpor: a program without steps has one execution", "[mc][odpor]") {
  const ExploredOrders all = explored_orders(toy({"", ""}));
  CHECK(all.executions == 1);
  CHECK(all.taken == 0);
}
