// SPDX-License-Identifier: MIT
//
// An exploration that is cut into parts, each done by somebody who has only its Path, visits the same executions in the
// same order with the same number of events as one that is not.
#include <catch2/catch.hpp>
#include <list>

#include "mc/reduction/receives_from.hpp"
#include "simcore/support/random.hpp"
#include "tests/support/litmus.hpp"
#include "tests/support/random_litmus.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using tests::make_litmus;

namespace {

struct Visits {
  std::vector<std::string> executions;
  std::uint64_t events = 0;
  std::uint32_t parts = 1;
};

// What each actor has observed in it, one after the other.
std::string name_of(const Graph& graph) {
  std::string name;
  for (std::uint32_t a = 0; a < graph.actor_count(); ++a)
    for (const Event& event : graph.actor(a).events)
      name += std::to_string(static_cast<int>(event.kind)) + "." + std::to_string(event.stamp) + "." +
              std::to_string(event.history.low) + " ";
  return name;
}

bool go_on(const Matching&) { return true; }

Visits in_one_part(const std::string& text) {
  const std::unique_ptr<Program> program = make_litmus(text);
  History history(*program, 1 << 20);
  Matching matching(history, program->actor_count(), 1, go_on);
  Visits visits;
  CHECK(matching.run([&](const Graph& graph) {
    visits.executions.push_back(name_of(graph));
    return true;
  }));
  visits.events = matching.events();
  return visits;
}

// Each part is begun with nothing but its Path; by chance it leaves its rest to another one, or is left in the middle
// (also of an execution) and taken up again by another one.
Visits in_parts(const std::string& text, std::uint64_t seed) {
  SplitMix chance(seed);
  Visits visits;
  Path everything;
  everything.is_done = false;
  std::list<Path> parts = {everything};
  while (!parts.empty()) {
    const std::unique_ptr<Program> program = make_litmus(text);
    History history(*program, 1 << 20);
    Matching matching(history, program->actor_count(), 1, go_on);
    matching.ask([&](const Matching&) { return chance.below(12) != 0; }, 1);
    matching.load(parts.front());
    parts.pop_front();
    const bool is_over = matching.run([&](const Graph& graph) {
      visits.executions.push_back(name_of(graph));
      if (chance.below(3) == 0)
        if (const auto gift = matching.give_away()) {
          parts.push_front(gift->path);
          ++visits.parts;
        }
      return chance.below(4) != 0;
    });
    if (!is_over) {
      parts.push_front(matching.remaining());
      ++visits.parts;
    }
    visits.events += matching.events();
  }
  return visits;
}

// How many parts there were.
std::uint32_t is_the_same_in_parts(const std::string& text, std::uint64_t seed) {
  INFO(text);
  const Visits one = in_one_part(text), many = in_parts(text, seed);
  CHECK(one.executions == many.executions);
  CHECK(one.events == many.events);
  return many.parts;
}

}  // namespace

TEST_CASE("paths: all orders of a fan-in come in the same order when they are explored in parts", "[mc]") {
  const char* text = "0: recv * 0 ; recv * 0 ; recv * 0 ; recv * 0\n"
                     "1: send 0 0\n2: send 0 0\n3: send 0 0\n4: send 0 0\n";
  for (std::uint64_t seed = 1; seed <= 50; ++seed) is_the_same_in_parts(text, seed);
}

TEST_CASE("paths: random programs are explored in parts as in one", "[mc][fuzz]") {
  tests::LitmusShape shape;
  shape.messages = GENERATE(4, 6);
  shape.probes = shape.waitany = GENERATE(false, true);
  shape.polls = shape.barriers = GENERATE(false, true);
  shape.choices = shape.takes = shape.cancels = shape.frees = GENERATE(false, true);
  std::uint32_t parts = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) parts += is_the_same_in_parts(random_litmus(seed, shape), seed);
  CHECK(parts > 100);
}

TEST_CASE("paths: one that belongs to another program is not followed", "[mc]") {
  const std::unique_ptr<Program> program = make_litmus("0: recv * 0 ; recv * 0\n1: send 0 0\n2: send 0 0\n");
  History history(*program, 1 << 20);
  Matching matching(history, program->actor_count(), 1, go_on);
  matching.run([](const Graph&) { return false; });
  const Path path = matching.remaining();
  const std::unique_ptr<Program> other = make_litmus("0: recv * 0 ; recv * 1\n1: send 0 0\n2: send 0 1\n");
  History other_history(*other, 1 << 20);
  Matching lost(other_history, other->actor_count(), 1, go_on);
  CHECK_THROWS_AS(lost.load(path), PathLost);
}
