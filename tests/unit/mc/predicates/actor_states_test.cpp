// SPDX-License-Identifier: MIT
//
// What actors published between which of their events, what must have happened before, and which predicates are there.
#include "mc/predicates/actor_states.hpp"

#include <catch2/catch.hpp>

#include "mc/predicates/declared.hpp"
#include "tests/support/graphs.hpp"
#include "tests/support/random_litmus.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::predicates;
using mc::buffering::PolicyOutcome;
using mc::graph::Graph;
using tests::World;

namespace {

constexpr Policy buffers_all{}, buffers_none{0, false}, members_wait{Policy::infinite, true};

std::string text_of(const std::vector<Publication>& publications) {
  std::string text;
  for (const Publication& publication : publications)
    text += std::to_string(publication.events) + ":" + publication.published->name + "=" +
            std::to_string(publication.published->value) + " ";
  return text;
}

template <class Look>
void look_at_only(const std::string& text, const Look& look) {
  World world(text);
  world.first_execution([&](const Graph& graph) { look(world, graph); });
}

}  // namespace

TEST_CASE("actor states: a publication comes after the events that happened before it", "[mc][predicates]") {
  const char* text = "0: say x 1 ; send 1 0 ; say x 2 ; say y 3 ; recv 1 0 ; say x 4\n1: recv 0 0 ; send 0 0\n";
  look_at_only(text, [](World&, const Graph& graph) {
    const auto whole = publications_of(graph, tests::whole_outcome(graph).happened);
    CHECK(text_of(whole[0]) == "0:x=1 1:x=2 1:y=3 3:x=4 ");
    CHECK(whole[1].empty());
    CHECK(text_of(publications_of(graph, {1, 0})[0]) == "0:x=1 1:x=2 1:y=3 ");
    CHECK(text_of(publications_of(graph, {0, 0})[0]) == "0:x=1 ");
  });
}

TEST_CASE("actor states: with buffering an event needs its past", "[mc][predicates][fuzz]") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    tests::LitmusShape shape;
    shape.synchronous = false;
    shape.probes = seed % 2 == 0;
    look_at_only(random_litmus(seed, shape), [](World&, const Graph& graph) {
      const PolicyOutcome outcome = tests::whole_outcome(graph);
      const WaitingClocks clocks(graph, buffers_all, outcome);
      for (std::uint32_t a = 0; a < graph.actor_count(); ++a)
        for (std::uint32_t b = 0; b < graph.actor_count(); ++b) {
          CHECK(clocks.needs(a, 0, b) == 0);
          for (graph::EventIndex i = 0; i < outcome.happened[a]; ++i)
            CHECK(clocks.needs(a, i + 1, b) == graph.clock({a, i})[b]);
        }
    });
  }
}

TEST_CASE("actor states: a send that waits needs its receive and the past of that", "[mc][predicates]") {
  const char* text = "0: send 1 0 ; send 2 0\n1: recv 2 0 ; recv 0 0\n2: send 1 0 ; recv 0 0\n";
  look_at_only(text, [](World&, const Graph& graph) {
    std::vector<PolicyOutcome> outcomes;
    buffering::PolicyReplay replay([] { return true; });
    replay.run(graph, buffers_none, [&](const PolicyOutcome& outcome) { outcomes.push_back(outcome); });
    REQUIRE(outcomes.size() == 1);
    REQUIRE(outcomes[0].complete);
    const WaitingClocks waiting(graph, buffers_none, outcomes[0]), free(graph, buffers_all, outcomes[0]);
    CHECK(free.needs(0, 1, 1) == 0);
    CHECK(waiting.needs(0, 1, 1) == 3);  // its receive was posted, behind the other one
    CHECK(waiting.needs(0, 1, 2) == 1);
    CHECK(waiting.needs(0, 2, 2) == 2);
  });
}

TEST_CASE("actor states: members of a synchronising collective need all arrivals", "[mc][predicates]") {
  look_at_only("0: bcast 0 ; send 1 0\n1: bcast 0 ; recv 0 0\n", [](World&, const Graph& graph) {
    const PolicyOutcome outcome = tests::whole_outcome(graph);
    CHECK(WaitingClocks(graph, buffers_all, outcome).needs(0, 2, 1) == 0);
    CHECK(WaitingClocks(graph, members_wait, outcome).needs(0, 2, 1) == 1);
  });
}

TEST_CASE("declared: each predicate appears once, with its first actor", "[mc][predicates]") {
  const char* text = "0: say x 1 ; never x@0==2 ; never x@0==2 ; always x@0==1\n1: never x@0==2 ; never x@0==3\n";
  look_at_only(text, [](World&, const Graph& graph) {
    const auto publications = publications_of(graph, tests::whole_outcome(graph).happened);
    const std::vector<Declared> declared = declared_in(publications);
    REQUIRE(declared.size() == 3);
    CHECK(declared[0].is_never());
    CHECK(declared[0].actor == 0);
    CHECK(declared[0].published->name == "x@0==2");
    CHECK_FALSE(declared[1].is_never());
    CHECK(declared[2].actor == 1);
  });
}

TEST_CASE("declared: a state against a predicate names its values", "[mc][predicates]") {
  const char* text = "0: say x 1 ; never x@0==1&&x@1==5 ; say x 2\n1: say x 4 ; say x 5\n";
  look_at_only(text, [](World& world, const Graph& graph) {
    const PolicyOutcome outcome = tests::whole_outcome(graph);
    const auto publications = publications_of(graph, outcome.happened);
    const WaitingClocks clocks(graph, buffers_all, outcome);
    const std::vector<Declared> declared = declared_in(publications);
    REQUIRE(declared.size() == 1);
    auto predicate = Predicate::parse(declared[0].published->name);
    REQUIRE(predicate);
    StateSearch search(predicate.value(), publications, clocks);
    const auto state = state_against(declared[0], search, true, world.program());
    REQUIRE(state);
    CHECK(state->is_never);
    CHECK(state->declared_by == ActorId{0});
    REQUIRE(state->values.size() == 2);
    CHECK(state->values[0].value == 1);
    CHECK(state->values[1].actor == ActorId{1});
    CHECK(state->values[1].value == 5);
    CHECK(state->missing.empty());
  });
}

TEST_CASE("declared: an unpublished value is missing when all actors have ended, not before", "[mc][predicates]") {
  look_at_only("0: never y@1==1\n1: say x 1\n", [](World& world, const Graph& graph) {
    const PolicyOutcome outcome = tests::whole_outcome(graph);
    const auto publications = publications_of(graph, outcome.happened);
    const WaitingClocks clocks(graph, buffers_all, outcome);
    const Declared declared = declared_in(publications).at(0);
    auto predicate = Predicate::parse(declared.published->name);
    StateSearch search(predicate.value(), publications, clocks);
    CHECK_FALSE(state_against(declared, search, false, world.program()));
    const auto state = state_against(declared, search, true, world.program());
    REQUIRE(state);
    CHECK(state->missing == "y@1");
    CHECK(state->values.empty());
  });
}

TEST_CASE("declared: a search that reaches its bound reports it", "[mc][predicates]") {
  look_at_only("0: say x 1 ; say x 2 ; say x 3\n1: say x 4 ; say x 5 ; say x 6\n", [](World&, const Graph& graph) {
    const PolicyOutcome outcome = tests::whole_outcome(graph);
    const auto publications = publications_of(graph, outcome.happened);
    const WaitingClocks clocks(graph, buffers_all, outcome);
    auto predicate = Predicate::parse("x@0==3&&x@1==6");
    StateSearch enough(predicate.value(), publications, clocks, 100);
    StateSearch short_one(predicate.value(), publications, clocks, 3);
    CHECK(enough.find(true).size() == 2);
    CHECK_FALSE(enough.was_cut_short());
    CHECK(short_one.find(true).empty());
    CHECK(short_one.was_cut_short());
  });
}
