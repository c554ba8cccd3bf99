// SPDX-License-Identifier: MIT
//
// Limits only grow, and say when they did.
#include "mc/verdict/limits.hpp"

#include <catch2/catch.hpp>

#include "tests/support/graphs.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::verdict;

TEST_CASE("limits: join() adds new limits, each text once", "[mc][limits]") {
  Limits limits;
  CHECK(limits.size() == 0);
  const std::vector<Limits> more = {
      {.refusals_left_out = true},     {.unsupported = {"one"}},
      {.unsupported = {"one", "two"}}, {.orders_left_out = true, .executions_not_meant = true},
      {.assumptions = {"three"}},      {.strayed = {"four"}}};
  const std::vector<std::size_t> sizes = {1, 2, 3, 5, 6, 7};
  for (std::size_t i = 0; i < more.size(); ++i) {
    limits.join(more[i]);
    CHECK(limits.size() == sizes[i]);
    limits.join(more[i]);
    CHECK(limits.size() == sizes[i]);
  }
  CHECK(limits.unsupported == std::vector<std::string>{"one", "two"});
  limits.join({});
  CHECK(limits.size() == 7);
  CHECK(limits.refusals_left_out);
}

TEST_CASE("limits: they contain the caveats of a process", "[mc][limits]") {
  Caveats caveats;
  caveats.unsupported = {"a call"};
  caveats.assumptions = {"no files"};
  const Limits limits = limits_of(caveats);
  CHECK(limits.unsupported == caveats.unsupported);
  CHECK(limits.assumptions == caveats.assumptions);
  CHECK(limits.strayed.empty());
}

TEST_CASE("limits: a history without a strayed actor has none", "[mc][limits]") {
  tests::World world("0: send 1 0\n1: recv 0 0\n");
  CHECK(limits_of(world.history()).size() == 0);
  world.for_each_execution([](const graph::Graph&) { return true; });
  CHECK(limits_of(world.history()).size() == 0);
}
