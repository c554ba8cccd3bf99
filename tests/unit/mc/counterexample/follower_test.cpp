// SPDX-License-Identifier: MIT
//
// Executions with some given decisions make these where they can, and otherwise what comes first.
#include "mc/counterexample/follower.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "tests/support/blocked.hpp"
#include "tests/support/graphs.hpp"
#include "tests/support/random_litmus.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::counterexample;
using mc::graph::EventRef;
using mc::graph::Graph;
using tests::forced_answer;
using tests::forced_match;
using tests::GrownGraph;
using tests::text_of;
using tests::World;

namespace {

struct Followed {
  bool was_judged = false;
  std::string schedule;
  std::vector<Taken> taken;
  std::vector<EventRef> impossible;
};

Followed followed(const std::string& text, const Follower::Orders& orders) {
  World world(text);
  Follower follower(orders);
  Followed result;
  result.was_judged = world.follow(follower, [&](const Graph& graph) { result.schedule = tests::schedule_of(graph); });
  result.taken = follower.taken();
  result.impossible = follower.impossible();
  return result;
}

Followed with_must(const std::string& text, const Forced& must) { return followed(text, {must, {}, false}); }

const char* fan_of_two = "0: recv * 0 ; recv * 0\n1: send 0 0\n2: send 0 0\n";

Forced starved_at(std::uint32_t actor, std::uint32_t operation) {
  Forced forced;
  forced.starved.emplace(ActorId{actor}, operation);
  return forced;
}

}  // namespace

TEST_CASE("forced: adding decisions keeps the earlier ones", "[mc][follower]") {
  Forced forced = forced_match(0, 0, 1, 0);
  forced.add(forced_match(0, 0, 2, 0));
  forced.add(forced_match(0, 1, 2, 0));
  forced.add(forced_answer(3, 4, false));
  forced.add(starved_at(5, 6));
  CHECK(text_of(forced) == "0:r0<-1#0;0:r1<-2#0;3:o4=no;5:o6 starves");
}

TEST_CASE("forced: it is empty without decisions, and equal for equal decisions", "[mc][follower]") {
  CHECK(Forced{}.is_empty());
  for (const Forced& one : {forced_match(0, 0, 1, 0), forced_answer(0, 0, true, {1}), starved_at(0, 0)}) {
    CHECK_FALSE(one.is_empty());
    CHECK(one == one);
    CHECK_FALSE(one == Forced{});
  }
  CHECK_FALSE(forced_match(0, 0, 1, 0) == forced_match(0, 0, 2, 0));
  CHECK_FALSE(forced_answer(0, 0, true, {1}) == forced_answer(0, 0, true, {0}));
}

TEST_CASE("follower: without orders it makes the first execution of an exploration", "[mc][follower][fuzz]") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    tests::LitmusShape shape;
    shape.waitany = seed % 2 == 0;
    shape.probes = shape.polls = seed % 3 == 0;
    const std::string text = random_litmus(seed, shape);
    std::string first;
    World world(text);
    world.for_each_execution([&](const Graph& graph) {
      if (graph.tally().starved == 0) first = tests::schedule_of(graph);
      return false;
    });
    INFO(text);
    const Followed none = with_must(text, {});
    if (none.was_judged && !first.empty()) CHECK(none.schedule == first);
    for (const Taken& taken : none.taken) CHECK(taken.is_default);
    CHECK(none.impossible.empty());
  }
}

TEST_CASE("follower: a forced match is made, and no other receive takes its message", "[mc][follower]") {
  CHECK(with_must(fan_of_two, {}).schedule == "0:r0<-1#0;0:r1<-2#0");
  CHECK(with_must(fan_of_two, forced_match(0, 0, 2, 0)).schedule == "0:r0<-2#0;0:r1<-1#0");
  CHECK(with_must(fan_of_two, forced_match(0, 1, 1, 0)).schedule == "0:r0<-2#0;0:r1<-1#0");
}

TEST_CASE("follower: a choice records the options, the one taken, and whether it was forced", "[mc][follower]") {
  const Followed result = with_must(fan_of_two, forced_match(0, 0, 2, 0));
  REQUIRE(result.taken.size() == 1);  // then there is one message left
  const Taken& taken = result.taken[0];
  CHECK(taken.event == EventRef{0, 1});
  CHECK(taken.operation == 0);
  REQUIRE(taken.options.size() == 2);
  CHECK(text_of(taken.options[0]) == "0:r0<-1#0");
  CHECK(text_of(taken.options[1]) == "0:r0<-2#0");
  CHECK(taken.chosen == 1);
  CHECK_FALSE(taken.is_default);
  CHECK(with_must(fan_of_two, {}).taken[0].is_default);
}

TEST_CASE("follower: an actor waits for the late message that its order names", "[mc][follower]") {
  const char* text = "0: recv * 0 ; send 2 5 ; recv * 0\n1: send 0 0\n2: recv 3 4 ; send 0 0\n3: send 2 4\n";
  const Followed result = with_must(text, forced_match(0, 0, 2, 1));
  CHECK(result.was_judged);
  CHECK(result.schedule == "0:r0<-2#1;0:r2<-1#0;2:r0<-3#0");
  CHECK(result.impossible.empty());
}

TEST_CASE("follower: an impossible decision is reported, and another one is made", "[mc][follower]") {
  const char* text = "0: recv * 0 ; send 2 5 ; recv * 0\n1: send 0 0\n2: recv 0 5 ; send 0 0\n";
  const Followed result = with_must(text, forced_match(0, 0, 2, 1));  // follows from what it is to precede
  CHECK(result.was_judged);
  REQUIRE_FALSE(result.impossible.empty());
  CHECK(result.impossible.front() == EventRef{0, 1});
  CHECK(result.schedule == "0:r0<-1#0;0:r2<-2#1;2:r0<-0#1");
}

TEST_CASE("follower: polls get the forced answers", "[mc][follower]") {
  const char* text = "0: iprobe 1 0 ; recv 1 0\n1: send 0 0\n";
  CHECK(with_must(text, {}).schedule == "0:r0<-1#0;0:o0=no");
  Forced yes = forced_answer(0, 0, true);
  yes.schedule.answers.begin()->second.seen = {ActorId{1}, RequestId{0}};
  CHECK(with_must(text, yes).schedule == "0:r0<-1#0;0:o0=saw 1#0");
  CHECK(with_must(text, forced_answer(0, 0, false)).schedule == "0:r0<-1#0;0:o0=no");
}

TEST_CASE("follower: choices and sets of complete requests can be forced", "[mc][follower]") {
  CHECK(with_must("0: choose 3\n1: choose 2\n", forced_answer(0, 0, true, {2})).schedule == "0:o0=yes(2);1:o0=yes(0)");
  const char* any = "0: irecv 1 0 a ; irecv 2 0 b ; waitany a b ; waitall a b\n1: send 0 0\n2: send 0 0\n";
  CHECK(with_must(any, forced_answer(0, 2, true, {1})).schedule == "0:r0<-1#0;0:r1<-2#0;0:o2=yes(1)");
}

TEST_CASE("follower: optional decisions are made if possible, and yield to required ones", "[mc][follower]") {
  const Follower::Orders may{{}, forced_match(0, 0, 2, 0), false};
  CHECK(followed(fan_of_two, may).schedule == "0:r0<-2#0;0:r1<-1#0");
  const Follower::Orders both{forced_match(0, 0, 1, 0), forced_match(0, 0, 2, 0), false};
  const Followed result = followed(fan_of_two, both);
  CHECK(result.schedule == "0:r0<-1#0;0:r1<-2#0");
  CHECK(result.impossible.empty());
}

TEST_CASE("follower: an impossible optional decision is skipped without a report", "[mc][follower]") {
  const Followed result = followed(fan_of_two, {{}, forced_match(0, 0, 7, 3), false});
  CHECK(result.was_judged);
  CHECK(result.impossible.empty());
}

TEST_CASE("follower: an actor can be forced to starve if other receives took the messages", "[mc][follower]") {
  const char* text = "0: irecv * 0 a ; recv * 0\n1: send 0 0\n2: send 0 5\n";
  const Followed result = with_must(text, starved_at(0, 1));
  CHECK(result.was_judged);
  CHECK(result.impossible.empty());
  CHECK(with_must(text, {}).schedule == result.schedule);  // nobody can do otherwise: the first receive takes it
}

TEST_CASE("follower: an update precedes each choice and can add orders", "[mc][follower]") {
  World world(fan_of_two);
  std::size_t updates = 0;
  Follower follower({}, [&](const Graph& graph, Forced& must) {
    ++updates;
    if (graph.tally().sends == 2) must.add(forced_match(0, 0, 2, 0));
  });
  std::string schedule;
  world.follow(follower, [&](const Graph& graph) { schedule = tests::schedule_of(graph); });
  CHECK(updates > 0);
  CHECK(schedule == "0:r0<-2#0;0:r1<-1#0");
}

TEST_CASE("follower: observations and decisions are recorded in the form of schedules", "[mc][follower]") {
  GrownGraph grown("0: irecv * 0 a ; irecv * 0 b ; waitany a b ; iprobe * 1 ; wait a\n1: send 0 0\n2: send 0 0\n");
  grown.start_all({0, 0, 1, 2});
  CHECK(text_of(as_forced(grown.graph(), grown.decide(0, 0, tests::takes(0, {2, 0})))) == "0:r0<-2#0");
  const EventRef any = grown.answer(0, tests::done({1}, {{1, {1, 0}}}));
  CHECK(text_of(as_forced(grown.graph(), any)) == "0:r1<-1#0;0:o2=yes(1)");
  CHECK(text_of(as_forced(grown.graph(), grown.answer(0, tests::refused()))) == "0:o3=no");
  CHECK(as_forced(grown.graph(), grown.answer(0)).is_empty());
}

TEST_CASE("follower: all decisions of an execution lead to the same execution", "[mc][follower][fuzz]") {
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    tests::LitmusShape shape;
    shape.waitany = seed % 2 == 0;
    shape.probes = seed % 3 == 0;
    const std::string text = random_litmus(seed, shape);
    World world(text);
    std::vector<std::string> schedules;
    world.for_each_execution([&](const Graph& graph) {
      if (graph.tally().starved == 0) schedules.push_back(tests::schedule_of(graph));
      return schedules.size() < 10;
    });
    for (const std::string& schedule : schedules) {
      const Followed one = followed(text, {{parse_schedule(schedule).value(), {}}, {}, true});
      Forced all;
      for (const Taken& taken : one.taken) all.add(taken.options[taken.chosen]);
      INFO(text << schedule);
      const Followed again = with_must(text, all);
      CHECK(again.schedule == one.schedule);
      CHECK(again.impossible.empty());
      ++compared;
    }
  }
  CHECK(compared > 80);
}
