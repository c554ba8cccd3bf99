// SPDX-License-Identifier: MIT
//
// A collective is complete for a member when those whose data it needs have arrived and agree with it.
#include "mc/graph/collective_instance.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "tests/support/graphs.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::graph;
using tests::GrownGraph;

namespace {

// All actors call the same.
std::string all_call(std::uint32_t actors, const std::string& call) {
  std::string text;
  for (std::uint32_t a = 0; a < actors; ++a) text += std::to_string(a) + ": " + call + "\n";
  return text;
}

bool complete_for(GrownGraph& grown, std::uint32_t actor, bool everybody = false) {
  return collective_complete(grown.graph(), {actor, 0}, grown.view(actor).visible, everybody);
}

// For which sets of actors that have arrived, as bits, it is complete for the actor, which is among them.
std::set<std::uint32_t> completing(std::uint32_t actors, const std::string& call, std::uint32_t actor, bool everybody) {
  std::set<std::uint32_t> sets;
  for (std::uint32_t there = 0; there < 1u << actors; ++there) {
    if (!(there >> actor & 1)) continue;
    GrownGraph grown(all_call(actors, call));
    for (std::uint32_t a = 0; a < actors; ++a)
      if (there >> a & 1) grown.start(a);
    if (complete_for(grown, actor, everybody)) sets.insert(there);
  }
  return sets;
}

// All sets with these in them.
std::set<std::uint32_t> with(std::uint32_t actors, std::uint32_t needed) {
  std::set<std::uint32_t> sets;
  for (std::uint32_t there = 0; there < 1u << actors; ++there)
    if ((there & needed) == needed) sets.insert(there);
  return sets;
}

std::vector<EventRef> needed_by(GrownGraph& grown, std::uint32_t actor) {
  std::vector<EventRef> needed;
  for_each_needed(grown.graph(), {actor, 0}, [&](EventRef arrival) { needed.push_back(arrival); });
  return needed;
}

std::string disagreement(const std::string& text, std::uint32_t actor) {
  GrownGraph grown(text);
  for (std::uint32_t a = 0; a < grown.graph().actor_count(); ++a) grown.start(a);
  const auto found = disagreement_of(grown.graph(), {actor, 0});
  return found ? std::string(found->on) + " with " + std::to_string(found->with.actor) : "none";
}

}  // namespace

TEST_CASE("collective: in each flow a member waits for the members whose data it needs", "[mc][graph]") {
  constexpr std::uint32_t n = 3;
  for (std::uint32_t self = 0; self < n; ++self) {
    const std::uint32_t me = 1u << self;
    CHECK(completing(n, "barrier", self, false) == with(n, 7));
    CHECK(completing(n, "bcast 1", self, false) == with(n, me | 2));
    CHECK(completing(n, "reduce 2", self, false) == with(n, self == 2 ? 7 : me));
    CHECK(completing(n, "scan", self, false) == with(n, (2u << self) - 1));
  }
}

TEST_CASE("collective: with `everybody`, all members must have arrived", "[mc][graph]") {
  for (const char* call : {"barrier", "bcast 0", "reduce 1", "scan"})
    for (std::uint32_t self = 0; self < 3; ++self) CHECK(completing(3, call, self, true) == with(3, 7));
}

TEST_CASE("collective: between two groups a member waits for the other group", "[mc][graph]") {
  // 0 and 1 are one group, 2 and 3 the other.
  CHECK(completing(4, "xbarrier 2", 0, false) == with(4, 0b1101));
  CHECK(completing(4, "xbarrier 2", 3, false) == with(4, 0b1011));
  CHECK(completing(4, "xbcast 2 0", 3, false) == with(4, 0b1001));
  CHECK(completing(4, "xbcast 2 0", 1, false) == with(4, 0b0010));
  CHECK(completing(4, "xreduce 2 0", 0, false) == with(4, 0b1101));
  CHECK(completing(4, "xreduce 2 0", 2, false) == with(4, 0b0100));
}

TEST_CASE("collective: arrivals outside the view do not count", "[mc][graph]") {
  GrownGraph grown(all_call(2, "barrier"));
  grown.start_all({0, 1});
  CHECK(collective_complete(grown.graph(), {0, 0}, std::vector<std::uint32_t>{1, 1}, false));
  CHECK_FALSE(collective_complete(grown.graph(), {0, 0}, std::vector<std::uint32_t>{1, 0}, false));
  CHECK(collective_complete(grown.graph(), {0, 0}, std::vector<std::uint32_t>{0, 1}, false));  // itself is there
}

TEST_CASE("collective: members that call different collectives never complete if they need each other", "[mc][graph]") {
  GrownGraph grown("0: barrier\n1: bcast 0\n2: bcast 0\n");
  grown.start_all({0, 1, 2});
  CHECK_FALSE(complete_for(grown, 0));
  CHECK_FALSE(complete_for(grown, 1));
  GrownGraph roots("0: bcast 0\n1: bcast 1\n2: bcast 0\n");
  roots.start_all({0, 1, 2});
  CHECK(complete_for(roots, 0));
  CHECK(complete_for(roots, 1));  // each is its own root
  CHECK(complete_for(roots, 2));
  CHECK_FALSE(complete_for(roots, 0, true));
}

TEST_CASE("collective: a disagreement names the first member that disagrees, and the subject", "[mc][graph]") {
  CHECK(disagreement("0: barrier\n1: barrier\n2: barrier\n", 0) == "none");
  CHECK(disagreement("0: barrier\n1: barrier\n2: scan\n", 0) == "operation with 2");
  CHECK(disagreement("0: barrier\n1: barrier\n2: scan\n", 2) == "operation with 0");
  CHECK(disagreement("0: bcast 0\n1: bcast 1\n2: bcast 0\n", 2) == "root with 1");
  CHECK(disagreement("0: xbcast 1 0\n1: xbcast 1 0\n2: xbcast 1 0\n", 1) == "none");
}

TEST_CASE("collective: a member that has not arrived disagrees with no member", "[mc][graph]") {
  GrownGraph grown("0: barrier\n1: scan\n");
  grown.start(0);
  CHECK_FALSE(disagreement_of(grown.graph(), {0, 0}));
  grown.start(1);
  CHECK(disagreement_of(grown.graph(), {0, 0}));
}

TEST_CASE("collective: needed arrivals are those of other members in the graph", "[mc][graph]") {
  GrownGraph grown(all_call(3, "scan"));
  grown.start_all({2, 0});
  CHECK(needed_by(grown, 2) == std::vector<EventRef>{{0, 0}});
  CHECK(needed_by(grown, 0).empty());
  grown.start(1);
  CHECK(needed_by(grown, 2) == std::vector<EventRef>{{0, 0}, {1, 0}});
}

TEST_CASE("collective: the past of a completion contains exactly the needed arrivals", "[mc][graph]") {
  GrownGraph grown("0: send 1 5 ; bcast 1\n1: bcast 1\n2: bcast 1\n");
  grown.start_all({0, 0, 1, 2});
  const EventRef seen = grown.answer(2);
  CHECK(grown.graph().before({1, 0}, seen));
  CHECK_FALSE(grown.graph().before({0, 1}, seen));
  GrownGraph all(all_call(3, "barrier"));
  all.start_all({2, 0, 1});
  const EventRef done = all.answer(1);
  for (std::uint32_t a = 0; a < 3; ++a) CHECK(all.graph().before({a, 0}, done));
}

TEST_CASE("collective: the position of a member is its index in any order of members", "[mc][graph]") {
  const std::vector<ActorId> members{{4}, {1}, {7}};
  Collective collective;
  collective.members = members;
  CHECK(position_in(collective, 4) == 0);
  CHECK(position_in(collective, 1) == 1);
  CHECK(position_in(collective, 7) == 2);
  CHECK(position_in(collective, 0) == 3);  // none of them
}

TEST_CASE("collective: an observation awaits the arrivals of the collectives that it finds complete", "[mc][graph]") {
  GrownGraph grown("0: ibarrier a ; ibcast 1 b ; waitany a b\n1: ibarrier a ; ibcast 1 b\n");
  grown.start_all({0, 0, 1, 1});
  const auto awaited = [&](std::uint32_t which) {
    const EventRef observation = grown.answer(0, tests::done({which}));
    std::vector<EventRef> all;
    const Event& event = grown.graph().event(observation);
    for_each_awaited_arrival(grown.graph(), 0, event, event.option, [&](EventRef at) { all.push_back(at); });
    grown.graph().pop(0);
    return all;
  };
  CHECK(awaited(0) == std::vector<EventRef>{{1, 0}});
  CHECK(awaited(1) == std::vector<EventRef>{{1, 1}});
}

TEST_CASE("collective: a poll with the answer no reads nothing, with yes all needed arrivals", "[mc][graph]") {
  GrownGraph grown("0: ibarrier a ; test a ; test a\n1: ibarrier a\n2: ibarrier a\n");
  grown.start_all({0, 1, 2});
  const auto read = [&](const Option& option) {
    const EventRef observation = grown.answer(0, option);
    std::size_t count = 0;
    const Event& event = grown.graph().event(observation);
    for_each_read(grown.graph(), 0, event, event.option, [&](EventRef) { ++count; });
    return count;
  };
  CHECK(read(tests::refused()) == 0);
  CHECK(read({}) == 2);
}

TEST_CASE("collective: an option reads its matches and the message of its probe", "[mc][graph]") {
  GrownGraph grown("0: irecv * 0 a ; irecv * 0 b ; waitall a b ; probe * 0\n1: send 0 0\n2: send 0 0 ; send 0 0\n");
  grown.start_all({0, 0, 1, 2, 2});
  const auto read = [&](EventRef observation) {
    std::vector<EventRef> all;
    const Event& event = grown.graph().event(observation);
    for_each_read(grown.graph(), 0, event, event.option, [&](EventRef at) { all.push_back(at); });
    return all;
  };
  CHECK(read(grown.answer(0, tests::takes({{0, {2, 0}}, {1, {1, 0}}}))) == std::vector<EventRef>{{2, 0}, {1, 0}});
  CHECK(read(grown.answer(0, tests::saw({2, 1}))) == std::vector<EventRef>{{2, 1}});
}
