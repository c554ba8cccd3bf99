// SPDX-License-Identifier: MIT
//
// How an execution ended, as judges get it: which actor waits for what, which requests are pending, and the schedule.
#include "mc/counterexample/ending.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "mc/counterexample/follower.hpp"
#include "tests/support/graphs.hpp"
#include "tests/support/random_litmus.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::counterexample;
using mc::buffering::PolicyOutcome;
using mc::graph::Graph;
using tests::GrownGraph;
using tests::World;

namespace {

using State = ActorOutcome::State;
using Ids = std::vector<RequestId>;

constexpr Policy room{}, no_room{0, false}, together{Policy::infinite, true};

// Every end of the program's first execution under the policy.
std::vector<Outcome> ends_of(const std::string& text, const Policy& policy) {
  World world(text);
  std::vector<Outcome> ends;
  world.first_execution([&](const Graph& graph) {
    buffering::PolicyReplay replay([] { return true; });
    replay.run(graph, policy,
               [&](const PolicyOutcome& outcome) { ends.push_back(make_outcome(graph, outcome, policy)); });
  });
  return ends;
}

Outcome end_of(const std::string& text, const Policy& policy = room) {
  const std::vector<Outcome> ends = ends_of(text, policy);
  REQUIRE(ends.size() == 1);
  return ends[0];
}

template <class Check>
void look_at_first(const std::string& text, const Check& check) {
  World world(text);
  world.first_execution(check);
}

bool is_spotless_first(const std::string& text) {
  bool is = false;
  look_at_first(text, [&](const Graph& graph) { is = is_spotless(graph); });
  return is;
}

bool first_ends_well(const std::string& text) {
  bool is = false;
  look_at_first(text, [&](const Graph& graph) { is = ends_well(graph); });
  return is;
}

}  // namespace

TEST_CASE("ending: an actor that ended has its status, one that waits has its operation", "[mc][ending]") {
  const Outcome outcome = end_of("0: recv 1 7\n1: send 0 0\n");
  REQUIRE(outcome.actors.size() == 2);
  CHECK(outcome.actors[0].state == State::blocked);
  CHECK(outcome.actors[0].waits_for == Ids{{0}});
  CHECK_FALSE(outcome.actors[0].any_suffices);
  CHECK(outcome.actors[1].state == State::ended);
  CHECK(outcome.actors[1].exit_status == 0);
  REQUIRE(outcome.pending.size() == 2);
  CHECK(outcome.pending[0].kind == PendingRequest::Kind::receive);
  CHECK(outcome.pending[0].pattern.tag == 7);
  CHECK(outcome.pending[1].kind == PendingRequest::Kind::send);
  CHECK(outcome.pending[1].destination == ActorId{0});
  CHECK(outcome.pending[1].bytes == 4);
  CHECK(outcome.pending[1].completed);  // buffered, and lost
}

TEST_CASE("ending: a wait for any request names all of them and needs one", "[mc][ending]") {
  const Outcome outcome = end_of("0: irecv 1 0 a ; irecv 1 1 b ; isend 1 0 c ; waitall c ; waitany a b\n1: recv 0 0\n");
  CHECK(outcome.actors[0].state == State::blocked);
  CHECK(outcome.actors[0].waits_for == Ids{{0}, {1}});
  CHECK(outcome.actors[0].any_suffices);
}

TEST_CASE("ending: a wait for all requests names only incomplete ones", "[mc][ending]") {
  const Outcome outcome = end_of("0: irecv 1 0 a ; irecv 1 1 b ; waitall a b\n1: send 0 1\n");
  CHECK(outcome.actors[0].waits_for == Ids{{0}});
  CHECK(outcome.pending.size() == 1);
}

TEST_CASE("ending: a probe has its pattern and whether it polls", "[mc][ending]") {
  const Outcome outcome = end_of("0: probe 1 7\n1: send 0 0\n");
  REQUIRE(outcome.actors[0].probes.size() == 1);
  CHECK(outcome.actors[0].probes[0].tag == 7);
  CHECK_FALSE(outcome.actors[0].polling);
}

TEST_CASE("ending: the policy decides, by bytes to one receiver, whether a sender waits", "[mc][ending]") {
  const char* text = "0: isend 1 0 a ; isend 1 1 b ; waitall a b\n1: recv 0 5\n";
  const auto complete = [&](const Policy& policy) {
    const Outcome outcome = end_of(text, policy);
    std::vector<bool> are;
    for (const PendingRequest& pending : outcome.pending)
      if (pending.kind == PendingRequest::Kind::send) are.push_back(pending.completed);
    return are;
  };
  CHECK(complete(room) == std::vector<bool>{true, true});
  CHECK(complete(no_room) == std::vector<bool>{false, false});
  CHECK(complete(Policy{4, false}) == std::vector<bool>{true, false});
  CHECK(complete(Policy{8, false}) == std::vector<bool>{true, true});
  CHECK(end_of(text, Policy{4, false}).actors[0].waits_for == Ids{{1}});
}

TEST_CASE("ending: a waiting member names the members that have not arrived", "[mc][ending]") {
  const Outcome outcome = end_of("0: barrier\n1: barrier\n2: recv 0 0\n");
  REQUIRE(outcome.pending.size() == 3);
  const PendingRequest& collective = outcome.pending[0];
  CHECK(collective.kind == PendingRequest::Kind::collective);
  CHECK(collective.name == "barrier");
  CHECK(collective.number == 0);
  CHECK(collective.missing == std::vector<ActorId>{{2}});
  CHECK(collective.mismatch.empty());
  CHECK(outcome.actors[0].waits_for == Ids{{0}});
}

TEST_CASE("ending: between two groups only needed members are missing", "[mc][ending]") {
  const std::string text = "0: xbarrier 2\n1: recv 0 0\n2: xbarrier 2\n3: recv 0 0\n";
  CHECK(end_of(text).pending[0].missing == std::vector<ActorId>{{3}});
  CHECK(end_of(text, together).pending[0].missing == std::vector<ActorId>{{1}, {3}});
}

TEST_CASE("ending: disagreeing members are named", "[mc][ending]") {
  const Outcome outcome = end_of("0: barrier ; barrier\n1: barrier ; scan\n");
  REQUIRE(outcome.pending.size() == 2);
  CHECK(outcome.pending[0].mismatch == "operation");
  CHECK(outcome.pending[0].mismatch_with == ActorId{1});
  CHECK(outcome.pending[0].mismatch_name == "scan");
  CHECK(outcome.pending[0].number == 1);
  CHECK(outcome.pending[1].mismatch_with == ActorId{0});
}

TEST_CASE("ending: a member that continues although others disagree is reported as complete", "[mc][ending]") {
  const Outcome outcome = end_of("0: bcast 0\n1: bcast 1\n");
  REQUIRE(outcome.pending.size() == 2);
  for (const PendingRequest& pending : outcome.pending) {
    CHECK(pending.mismatch == "root");
    CHECK(pending.completed);
  }
  CHECK(outcome.actors[0].state == State::ended);
  CHECK_FALSE(first_ends_well("0: bcast 0\n1: bcast 1\n"));
}

TEST_CASE("ending: a withdrawn receive is not pending, but its message is", "[mc][ending]") {
  GrownGraph grown("0: irecv 1 0 a ; cancel a\n1: send 0 0\n");
  grown.start_all({0, 1});
  grown.answer(0, tests::refused());
  const Outcome outcome = make_outcome(grown.graph(), tests::whole_outcome(grown.graph()), room);
  REQUIRE(outcome.pending.size() == 1);
  CHECK(outcome.pending[0].kind == PendingRequest::Kind::send);
}

TEST_CASE("ending: a message in ready mode is early unless its receive is known to be posted", "[mc][ending]") {
  CHECK(end_of("0: rsend 1 3\n1: recv 0 3\n").early.size() == 1);
  CHECK(end_of("0: rsend 1 3\n1: recv 0 3\n").early[0].tag == 3);
  const char* reported = "0: recv 1 9 ; rsend 1 3\n1: irecv 0 3 a ; send 0 9 ; wait a\n";
  CHECK(end_of(reported).early.empty());
  CHECK(is_spotless_first(reported));
  CHECK_FALSE(is_spotless_first("0: rsend 1 3\n1: recv 0 3\n"));
  CHECK(first_ends_well("0: rsend 1 3\n1: recv 0 3\n"));
}

TEST_CASE("ending: an execution ends well if all actors end and no message remains", "[mc][ending]") {
  CHECK(first_ends_well("0: send 1 0\n1: recv 0 0\n"));
  CHECK_FALSE(first_ends_well("0: send 1 0 ; send 1 0\n1: recv 0 0\n"));
  CHECK_FALSE(first_ends_well("0: send 1 0\n1: recv 0 0 ; recv 0 0\n"));
  CHECK_FALSE(first_ends_well("0: send 1 0\n1: probe 0 0\n"));
  CHECK(first_ends_well("0: send 1 0\n1: mprobe 0 0 m ; mrecv m\n"));
}

TEST_CASE("ending: each actor is at the node of the outcome", "[mc][ending]") {
  look_at_first("0: send 1 0 ; send 1 1\n1: recv 0 1 ; recv 0 0\n", [](const Graph& graph) {
    buffering::PolicyReplay replay([] { return true; });
    replay.run(graph, no_room, [&](const PolicyOutcome& outcome) {
      CHECK(std::get<Send>(standing(graph, outcome, 0).operation).tag == 0);
      CHECK(std::get<Post>(standing(graph, outcome, 1).operation).pattern.tag == 1);
    });
    const PolicyOutcome whole = tests::whole_outcome(graph);
    CHECK(std::holds_alternative<End>(standing(graph, whole, 0).operation));
  });
}

TEST_CASE("ending: an observation has an answer if another answer was possible", "[mc][ending]") {
  GrownGraph grown("0: isend 1 0 a ; wait a ; isend 1 0 b ; test b ; choose 2 ; choose 1\n1: recv 0 0\n");
  grown.start(0);
  const auto answer_here = [&](const graph::Option& option) {
    return answer_of(grown.graph(), *grown.actor(0).node, option);
  };
  CHECK_FALSE(answer_here({}));
  grown.answer(0);
  grown.start(0);
  REQUIRE(answer_here({}));
  CHECK(answer_here({})->flag);
  CHECK(answer_here({})->completed == std::vector<std::uint32_t>{0});
  CHECK_FALSE(answer_here(tests::refused())->flag);
  grown.answer(0);
  CHECK(answer_here(tests::done({1}))->completed == std::vector<std::uint32_t>{1});
  grown.answer(0, tests::done({1}));
  CHECK_FALSE(answer_here(tests::done({0})));  // there is one way
}

TEST_CASE("ending: a schedule names matches by request, and answers by operation", "[mc][ending]") {
  GrownGraph grown("0: irecv * 0 a ; iprobe 1 5 ; wait a ; mprobe * 5 m ; mrecv m\n1: send 0 0 ; send 0 5\n");
  grown.start_all({0, 1, 1});
  grown.answer(0, tests::refused());
  grown.answer(0, tests::takes(0, {1, 0}));
  grown.answer(0, tests::saw({1, 1}));
  grown.start(0);
  grown.answer(0);
  CHECK(tests::schedule_of(grown.graph()) == "0:r0<-1#0;0:o1=no;0:o3=saw 1#1");
}

TEST_CASE("ending: the schedule of an execution replays it", "[mc][ending][fuzz]") {
  std::size_t followed = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    tests::LitmusShape shape;
    shape.waitany = seed % 2 == 0;
    shape.probes = seed % 3 == 0;
    shape.polls = seed % 4 == 0;
    shape.cancels = seed % 5 == 0;
    shape.choices = seed % 7 == 0;
    const std::string text = random_litmus(seed, shape);
    World world(text);
    std::set<std::string> schedules;
    world.for_each_execution([&](const Graph& graph) {
      if (graph.tally().starved == 0) schedules.insert(tests::schedule_of(graph));
      return schedules.size() < 20;
    });
    for (const std::string& schedule : schedules) {
      INFO(text << schedule);
      Follower follower(Follower::Orders{{parse_schedule(schedule).value(), {}}, {}, true});
      std::string led_to;
      world.follow(follower, [&](const Graph& graph) { led_to = tests::schedule_of(graph); });
      CHECK(led_to == schedule);
      ++followed;
    }
  }
  CHECK(followed > 150);
}

TEST_CASE("ending: ends have one shape if the same actors wait at the same places for the same events",
          "[mc][ending]") {
  const auto shapes = [](const std::string& text) {
    World world(text);
    std::set<std::pair<std::uint64_t, std::uint64_t>> all;
    std::size_t executions = 0;
    world.for_each_execution([&](const Graph& graph) {
      const history::Hash128 shape = shape_of(graph, tests::whole_outcome(graph));
      all.insert({shape.low, shape.high});
      ++executions;
      return true;
    });
    return std::pair(executions, all.size());
  };
  using Count = std::pair<std::size_t, std::size_t>;
  CHECK(shapes("0: recv * 0 ; recv * 0 ; recv 1 9\n1: send 0 0\n2: send 0 0\n") == Count{2, 1});
  CHECK(shapes("0: recv * 0 ; onsrc 1: recv 1 8 | 2: recv 1 9\n1: send 0 0\n2: send 0 0\n") == Count{2, 2});
  CHECK(shapes("0: recv * 0\n1: send 0 0\n2: send 0 0\n") == Count{2, 2});  // other messages are lost
}
