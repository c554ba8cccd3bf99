// SPDX-License-Identifier: MIT
//
// What actors write and send is compared with the first execution, each actor and kind.
#include "mc/verdict/determinism.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "tests/support/graphs.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::verdict;
using mc::graph::Graph;
using tests::World;

namespace {

struct Reported {
  std::vector<Difference> differences;
  std::size_t executions = 0;
};

// Of all executions that are compared with the first.
Reported reported_by(const std::string& text, bool sends) {
  Reported reported;
  ExploreOptions options;
  options.semantics.same_sends = sends;
  options.semantics.same_output = !sends;
  options.hooks.report_difference = [&](const Difference& difference) {
    reported.differences.push_back(difference);
    return std::vector<Finding>(1);
  };
  World world(text);
  Determinism determinism(world.program(), world.history(), options);
  CHECK(determinism.is_asked_for());
  CHECK_FALSE(determinism.can_be_divided());
  world.for_each_execution([&](const Graph& graph) {
    const std::size_t before = reported.differences.size();
    const std::vector<Cause> causes = determinism.compare(graph);
    CHECK(causes.size() == reported.differences.size() - before);
    for (const Cause& cause : causes)
      CHECK(to_text(cause.findings.at(0).witness.schedule) == tests::schedule_of(graph));
    ++reported.executions;
    return true;
  });
  CHECK(determinism.can_be_divided());
  return reported;
}

const char* answers_the_last = "0: recv * 0 ; recv * 0 ; onsrc 1: send 3 1 | 2: send 3 2\n"
                               "1: send 0 0\n2: send 0 0\n3: recv 0 *\n";

}  // namespace

TEST_CASE("determinism: sends that differ from the first execution are reported", "[mc][determinism]") {
  const Reported reported = reported_by(answers_the_last, true);
  CHECK(reported.executions == 2);
  REQUIRE(reported.differences.size() == 1);
  const Difference& difference = reported.differences[0];
  CHECK(difference.kind == Difference::Kind::sends);
  CHECK(difference.actor == ActorId{0});
  CHECK(difference.where.call == "send");
  CHECK(difference.one.schedule != difference.other.schedule);
}

TEST_CASE("determinism: another order of receives is no difference of sends", "[mc][determinism]") {
  const Reported reported =
      reported_by("0: recv * 0 ; recv * 0 ; send 1 1\n1: send 0 0 ; recv 0 1\n2: send 0 0\n", true);
  CHECK(reported.executions == 2);
  CHECK(reported.differences.empty());
}

TEST_CASE("determinism: only the requested effects are compared", "[mc][determinism]") {
  CHECK(reported_by(answers_the_last, false).differences.empty());
  ExploreOptions options;
  World world(answers_the_last);
  Determinism nothing(world.program(), world.history(), options);
  CHECK_FALSE(nothing.is_asked_for());
  CHECK(nothing.can_be_divided());
  world.for_each_execution([&](const Graph& graph) {
    CHECK(nothing.compare(graph).empty());
    return true;
  });
}

TEST_CASE("determinism: executions in which an actor does not end are not compared", "[mc][determinism]") {
  const Reported reported = reported_by("0: recv * 0 ; recv * 0 ; onsrc 1: recv 1 9 | 2: send 3 2\n"
                                        "1: send 0 0\n2: send 0 0\n3: bsend 0 7\n",
                                        true);
  CHECK(reported.executions == 2);
  CHECK(reported.differences.empty());
}

TEST_CASE("determinism: the shape depends on the actor and the kind only", "[mc][determinism]") {
  ExploreOptions options;
  options.semantics.same_sends = true;
  options.hooks.report_difference = [](const Difference&) { return std::vector<Finding>(1); };
  World world("0: recv * 0 ; recv * 0 ; recv * 0 ; onsrc 1: send 4 1 | 2: send 4 2 | 3: send 4 3\n"
              "1: send 0 0\n2: send 0 0\n3: send 0 0\n4: recv 0 *\n");
  Determinism determinism(world.program(), world.history(), options);
  std::set<std::uint64_t> shapes;
  std::size_t causes = 0;
  world.for_each_execution([&](const Graph& graph) {
    for (const Cause& cause : determinism.compare(graph)) {
      shapes.insert(cause.shape.low);
      ++causes;
    }
    return true;
  });
  CHECK(causes == 4);  // of six orders those that end with another one
  CHECK(shapes.size() == 1);
}
