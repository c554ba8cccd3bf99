// SPDX-License-Identifier: MIT
//
// The control flow of an execution, its determined matches, and what must happen before what.
#include "mc/predict/course.hpp"

#include <catch2/catch.hpp>
#include <functional>
#include <string>
#include <vector>

#include "mc/predict/clusters.hpp"
#include "mc/predict/completion.hpp"
#include "mc/predict/groups.hpp"
#include "mc/predict/must_order.hpp"
#include "tests/support/graphs.hpp"

namespace course_test {
namespace {

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::predict;
using tests::World;

constexpr Policy infinite{}, zero{0, false}, eager{8, false};

void look_at_first(const std::string& text, const std::function<void(const graph::Graph&)>& look) {
  World world(text);
  world.first_execution(look);
}

Course course(const std::string& text) {
  Course result;
  look_at_first(text, [&](const graph::Graph& graph) { result = course_of(graph, "actor"); });
  return result;
}

Clusters clusters(const Course& course) {
  return clusters_of(course, std::vector<bool>(course.messages.size(), false));
}

TEST_CASE("receives with one pattern, one after the other, are one wait", "[predict]") {
  const Course it = course("0: recv * 0 ; recv * 0 ; recv 1 0 ; recv * 0\n"
                           "1: send 0 0 ; send 0 0\n2: send 0 0 ; send 0 0\n");
  REQUIRE(it.unsupported.empty());
  REQUIRE(it.waits[0].size() == 3);
  CHECK(it.waits[0][0].needs.size() == 2);
  std::vector<Index> segments;
  for (const Receive& receive : it.receives) segments.push_back(receive.segment);
  CHECK(segments == std::vector<Index>{0, 0, 1, 2});
}

TEST_CASE("waits between which nothing starts are one", "[predict]") {
  const Course it = course("0: irecv 1 0 a ; irecv 1 1 b ; wait b ; wait a ; send 1 2 ; recv 1 2\n"
                           "1: send 0 0 ; send 0 1 ; recv 0 2 ; send 0 2\n");
  REQUIRE(it.waits[0].size() == 3);  // both requests; the send; the receive
  CHECK(it.waits[0][0].needs.size() == 2);
  CHECK(it.messages.size() == 4);
  for (const Receive& receive : it.receives) CHECK(receive.took != none);
}

TEST_CASE("what a course does not cover is named", "[predict]") {
  CHECK(course("0: probe 1 0 ; recv 1 0\n1: send 0 0\n").unsupported ==
        std::vector<std::string>{"actor 0 probes for messages"});
  CHECK_FALSE(course("0: recv 1 0\n1:\n").unsupported.empty());
  const Course polls = course("0: irecv 1 0 a ; test a ; wait a\n1: send 0 0\n");
  CHECK(polls.unsupported.empty());
  CHECK(polls.open == std::vector<std::string>{"actor 0 polls"});
  CHECK(course("0: irecv 1 0 a\n1: send 0 0\n").open ==
        std::vector<std::string>{"actor 0 posts a receive that it does not wait for"});
}

TEST_CASE("messages of one source have determined receives", "[predict]") {
  const Course it = course("0: irecv 1 0 a ; irecv 1 * b ; waitall a b ; recv * 2 ; recv * 2\n"
                           "1: send 0 1 ; send 0 0 ; send 0 2\n2: send 0 2\n");
  const Clusters found = clusters(it);
  CHECK(found.message_of[0] == 1);  // the first receive takes only tag 0
  CHECK(found.message_of[1] == 0);
  REQUIRE(found.undetermined.size() == 1);
  CHECK(found.undetermined[0].messages.size() == 2);
  CHECK(found.undetermined[0].receives.size() == 2);
  const std::vector<Group> groups = groups_of(it, found.undetermined[0]);
  REQUIRE(groups.size() == 1);
  CHECK(groups[0].receives.size() == 2);
  CHECK(groups_of(it, found.undetermined[0], true).size() == 2);
}

TEST_CASE("sends complete by the bytes of their channel", "[predict]") {
  const Course it = course("0: send 1 0 ; send 1 0 ; send 1 0 ; bytes 16 ; send 1 0 ; ssend 1 0 ; bsend 1 0\n"
                           "1: room 16 ; recv 0 0 ; recv 0 0 ; recv 0 0 ; recv 0 0 ; recv 0 0 ; recv 0 0\n");
  using enum mc::predict::Completion;
  CHECK(completions(it, infinite) == std::vector{at_once, at_once, at_once, at_once, when_matched, at_once});
  CHECK(completions(it, zero) ==
        std::vector{when_matched, when_matched, when_matched, when_matched, when_matched, at_once});
  CHECK(completions(it, eager) == std::vector{at_once, at_once, by_room, when_matched, when_matched, at_once});
}

TEST_CASE("the must-order of a ring under both policies", "[predict]") {
  look_at_first("0: send 1 0 ; recv 1 0\n1: send 0 0 ; recv 0 0\n", [](const graph::Graph& graph) {
    const Course it = course_of(graph, "actor");
    const Clusters found = clusters(it);
    const MustOrder free(graph, it, found, completions(it, infinite), infinite);
    CHECK(free.reaches_the_end());
    CHECK(free.before(0, 2)[1] == 0);                                       // what actor 1 sends at once
    const MustOrder strict(graph, it, found, completions(it, zero), zero);  // both send first: a certain deadlock
    CHECK_FALSE(strict.reaches_the_end());
    CHECK(strict.last(0) == 0);
  });
}

TEST_CASE("collectives order what comes behind them", "[predict]") {
  look_at_first("0: barrier\n1: recv 2 0 ; barrier\n2: send 1 0 ; barrier\n", [](const graph::Graph& graph) {
    const Course it = course_of(graph, "actor");
    const MustOrder order(graph, it, clusters(it), completions(it, infinite), infinite);
    CHECK(order.before(0, 1)[1] == 1);  // behind the barrier actor 1 has its message
  });
}

}  // namespace
}  // namespace course_test
