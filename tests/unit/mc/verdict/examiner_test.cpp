// SPDX-License-Identifier: MIT
//
// What is kept of executions: their class, how they end under each policy, and of what is not good one look each.
#include "mc/verdict/examiner.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "mc/counterexample/ending.hpp"
#include "tests/support/blocked.hpp"
#include "tests/support/graphs.hpp"
#include "tests/support/random_litmus.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::verdict;
using mc::graph::Graph;
using tests::World;

namespace {

using Name = std::pair<std::uint64_t, std::uint64_t>;

Name name_of(const history::Hash128& hash) { return {hash.low, hash.high}; }

// An examiner of the executions of a program.
class Examined {
 public:
  explicit Examined(const std::string& text, std::vector<Policy> policies = {Policy{}}) : world_(text) {
    options_.semantics.policies = std::move(policies);
    examiner_.emplace(world_.program(), world_.history(), options_, judge_, [] { return true; });
  }

  template <class Look>
  void each(const Look& look) {
    world_.for_each_execution([&](const Graph& graph) {
      Execution execution;
      CHECK(examiner_->examine(graph, true, execution));
      look(graph, execution);
      return true;
    });
  }
  Examiner& examiner() { return *examiner_; }
  World& world() { return world_; }

 private:
  World world_;
  ExploreOptions options_;
  Judge judge_ = tests::judge_blocked;
  std::optional<Examiner> examiner_;
};

const char* two_orders = "0: recv * 0 ; recv * 0\n1: send 0 0\n2: send 0 0\n";
const char* one_way_blocks = "0: recv * 0 ; recv 1 0\n1: send 0 0\n2: send 0 0\n";

}  // namespace

TEST_CASE("examiner: an execution that ends well has a class and nothing else", "[mc][examiner]") {
  Examined examined(two_orders);
  std::set<Name> classes;
  examined.each([&](const Graph& graph, const Execution& execution) {
    REQUIRE(execution.decided);
    REQUIRE(execution.endings.size() == 1);
    CHECK(execution.endings[0].observed == *execution.decided);
    CHECK(execution.endings[0].complete);
    CHECK(execution.recorded_ends.empty());
    CHECK(examined.examiner().ends_well(graph, execution));
    classes.insert(name_of(*execution.decided));
  });
  CHECK(classes.size() == 2);
}

TEST_CASE("examiner: each execution has another `decided`", "[mc][examiner][fuzz]") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    tests::LitmusShape shape;
    shape.waitany = shape.frees = seed % 2 == 0;
    const std::string text = random_litmus(seed, shape);
    INFO(text);
    Examined examined(text);
    std::set<Name> decided;
    std::size_t executions = 0;
    examined.each([&](const Graph&, const Execution& execution) {
      decided.insert(name_of(*execution.decided));
      ++executions;
    });
    CHECK(decided.size() == executions);
  }
}

TEST_CASE("examiner: without is_reached_once there is no `decided`", "[mc][examiner]") {
  Examined examined(two_orders);
  examined.world().first_execution([&](const Graph& graph) {
    Execution execution;
    examined.examiner().examine(graph, false, execution);
    CHECK_FALSE(execution.decided);
    CHECK(execution.endings.size() == 1);
  });
}

TEST_CASE("examiner: a bad end is judged the first time", "[mc][examiner]") {
  Examined examined("0: recv * 0 ; recv * 0 ; recv 1 9\n1: send 0 0\n2: send 0 0\n");
  std::size_t recorded = 0, causes = 0, executions = 0;
  examined.each([&](const Graph& graph, const Execution& execution) {
    ++executions;
    recorded += execution.recorded_ends.size();
    causes += execution.causes.size();
    for (const Cause& cause : execution.causes) {
      REQUIRE(cause.findings.size() == 1);
      CHECK(cause.findings[0].actors == std::vector<ActorId>{{0}});
      CHECK(to_text(cause.findings[0].witness) == tests::schedule_of(graph));
      CHECK(cause.shape == execution.recorded_ends[0].shape);
    }
    CHECK_FALSE(examined.examiner().ends_well(graph, execution));
    CHECK_FALSE(execution.endings[0].complete);
  });
  CHECK(executions == 2);
  CHECK(recorded == 1);
  CHECK(causes == 1);
}

TEST_CASE("examiner: after forget_recorded_ends() a bad end is recorded and judged again", "[mc][examiner]") {
  Examined examined(one_way_blocks);
  examined.world().first_execution([&](const Graph& graph) {
    for (const std::size_t expected : {1, 0, 1}) {
      Execution execution;
      examined.examiner().examine(graph, true, execution);
      CHECK(execution.causes.size() == expected);
      if (expected == 0) examined.examiner().forget_recorded_ends();
    }
  });
}

TEST_CASE("examiner: each policy has its ends, and those of the first are counted", "[mc][examiner]") {
  const char* head_to_head = "0: send 1 0 ; recv 1 0\n1: send 0 0 ; recv 0 0\n";
  Examined room_first(head_to_head, {Policy{}, Policy{0, false}, Policy{4, false}});
  room_first.each([&](const Graph&, const Execution& execution) {
    REQUIRE(execution.endings.size() == 1);
    CHECK(execution.endings[0].complete);
    REQUIRE(execution.recorded_ends.size() == 1);
    CHECK(execution.recorded_ends[0].policy == 1);
    CHECK(execution.causes[0].judged == 1);
  });
  Examined none_first(head_to_head, {Policy{0, false}, Policy{}});
  none_first.each([&](const Graph& graph, const Execution& execution) {
    REQUIRE(execution.endings.size() == 1);
    CHECK_FALSE(execution.endings[0].complete);
    CHECK(execution.recorded_ends[0].policy == 0);
    CHECK_FALSE(none_first.examiner().ends_well(graph, execution));
  });
}

TEST_CASE("examiner: a policy that makes no actor wait longer has the ends of another one", "[mc][examiner]") {
  Examined examined("0: recv 1 7\n1: send 0 0 ; barrier\n",
                    {Policy{}, Policy{Policy::infinite, true}, Policy{0, false}});
  examined.each([&](const Graph&, const Execution& execution) {
    std::set<std::uint32_t> same, policies;
    for (const Execution::RecordedEnd& recorded : execution.recorded_ends) {
      policies.insert(recorded.policy);
      if (recorded.shape == execution.recorded_ends[0].shape) same.insert(recorded.policy);
    }
    CHECK(policies == std::set<std::uint32_t>{0, 1, 2});
    CHECK(same == std::set<std::uint32_t>{0, 1});
  });
}

TEST_CASE("examiner: as_it_is contains all events and matches of the execution", "[mc][examiner]") {
  World world(one_way_blocks);
  world.for_each_execution([&](const Graph& graph) {
    const buffering::PolicyOutcome outcome = as_it_is(graph);
    const bool ends = outcome.complete;
    CHECK(outcome.matches.size() == graph.tally().matched);
    CHECK(ends == counterexample::ends_well(graph));
    for (std::uint32_t a = 0; a < 3; ++a) CHECK(outcome.happened[a] == graph.actor(a).events.size());
    return true;
  });
}
