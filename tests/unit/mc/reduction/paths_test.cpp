// SPDX-License-Identifier: MIT
//
// An exploration that is cut into parts, each done by somebody who has only its Path, visits the same executions in the
// same order with the same number of events as one that is not.
#include <catch2/catch.hpp>

#include "mc/reduction/receives_from.hpp"
#include "tests/support/litmus.hpp"
#include "tests/support/parts.hpp"
#include "tests/support/random_litmus.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::reduction;
using tests::make_litmus;
using tests::Visits;

namespace {

bool go_on(const ReceivesFromExplorer&) { return true; }

// How many parts there were.
std::uint32_t is_the_same_in_parts(const std::string& text, std::uint64_t seed) {
  INFO(text);
  const Visits one = tests::in_one_part(text);
  std::uint32_t parts = 0;
  for (const Visits& many : {tests::in_parts_by_chance(text, seed), tests::in_smallest_parts(text)}) {
    CHECK(one.executions == many.executions);
    CHECK(one.events == many.events);
    parts += many.parts;
  }
  return parts;
}

}  // namespace

TEST_CASE("paths: all orders of a fan-in come in the same order when they are explored in parts", "[mc]") {
  const char* text = "0: recv * 0 ; recv * 0 ; recv * 0 ; recv * 0\n"
                     "1: send 0 0\n2: send 0 0\n3: send 0 0\n4: send 0 0\n";
  for (std::uint64_t seed = 1; seed <= 50; ++seed) is_the_same_in_parts(text, seed);
  CHECK(tests::in_smallest_parts(text).parts == 12);  // half as many as executions: what surely comes next is kept
}

TEST_CASE("paths: random programs have the same executions in parts", "[mc][fuzz]") {
  tests::LitmusShape shape;
  shape.messages = GENERATE(4, 6);
  shape.probes = shape.waitany = GENERATE(false, true);
  shape.polls = shape.barriers = GENERATE(false, true);
  shape.choices = shape.takes = shape.cancels = shape.frees = GENERATE(false, true);
  std::uint32_t parts = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) parts += is_the_same_in_parts(random_litmus(seed, shape), seed);
  CHECK(parts > 150);
}

TEST_CASE("paths: a path of another program is refused", "[mc]") {
  const std::unique_ptr<Program> program = make_litmus("0: recv * 0 ; recv * 0\n1: send 0 0\n2: send 0 0\n");
  history::History history(*program, 1 << 20);
  ReceivesFromExplorer explorer(history, program->actor_count(), 1, go_on);
  explorer.run([](const graph::Graph&) { return false; });
  const Path path = explorer.remaining();
  const std::unique_ptr<Program> other = make_litmus("0: recv * 0 ; recv * 1\n1: send 0 0\n2: send 0 1\n");
  history::History other_history(*other, 1 << 20);
  ReceivesFromExplorer lost(other_history, other->actor_count(), 1, go_on);
  CHECK_THROWS_AS(lost.load(path), PathLost);
}
