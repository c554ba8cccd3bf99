// SPDX-License-Identifier: MIT
//
// Who takes whose messages, and where: what races are distinguished by.
#include "mc/reduction/takers.hpp"

#include <catch2/catch.hpp>

#include "tests/support/graphs.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::reduction;
using mc::graph::EventRef;
using tests::done;
using tests::GrownGraph;
using tests::takes;

namespace {

Senders senders(GrownGraph& grown, EventRef observation) {
  return senders_of(grown.graph(), observation, grown.graph().event(observation).option);
}

graph::EventIndex taker(GrownGraph& grown, EventRef observation) {
  return taker_of(grown.graph(), observation, grown.graph().event(observation).option);
}

const char* two_posted = "0: irecv * 0 a ; irecv * 0 b ; waitany a b\n1: send 0 0\n2: send 0 0\n";

}  // namespace

TEST_CASE("takers: an observation takes the messages of its matches, in order", "[mc][takers]") {
  GrownGraph grown("0: irecv * 0 a ; irecv * 0 b ; waitall a b\n1: send 0 0\n2: send 0 0\n");
  grown.start_all({0, 0, 1, 2});
  CHECK(senders(grown, grown.answer(0, takes({{0, {2, 0}}, {1, {1, 0}}}))) == Senders{2, 1});
}

TEST_CASE("takers: a wait for any also reports messages that were decided before", "[mc][takers]") {
  GrownGraph grown(two_posted);
  grown.start_all({0, 0, 1, 2});
  grown.decide(0, 0, takes(0, {2, 0}));
  CHECK(senders(grown, grown.answer(0, done({0}))) == Senders{2});
}

TEST_CASE("takers: a probe takes its message; the answer no and a starved actor take nothing", "[mc][takers]") {
  GrownGraph grown("0: iprobe * 0 ; iprobe * 0 ; irecv * 0 x ; recv 1 0\n1: send 0 0\n");
  CHECK(senders(grown, grown.answer(0, tests::refused())).empty());
  grown.start(1);
  CHECK(senders(grown, grown.answer(0, tests::saw({1, 0}))) == Senders{1});
  grown.start_all({0, 0});
  CHECK(senders(grown, grown.answer(0, tests::starving())).empty());
}

TEST_CASE("takers: messages are of others unless all have one sender", "[mc][takers]") {
  CHECK(are_of_others({1}, {2}));
  CHECK_FALSE(are_of_others({1}, {1}));
  CHECK_FALSE(are_of_others({1}, {1, 1}));  // more of the same actor
  CHECK(are_of_others({1, 2}, {2, 1}));
  CHECK(are_of_others({1, 1}, {1, 2}));
  CHECK_FALSE(are_of_others({}, {1}));
  CHECK_FALSE(are_of_others({1}, {}));
}

TEST_CASE("takers: a wildcard receive takes its message, a named one leaves it to the observation", "[mc][takers]") {
  GrownGraph any(two_posted);
  any.start_all({0, 0, 1, 2});
  const EventRef one = any.answer(0, done({1}, {{1, {2, 0}}}));
  CHECK(taker(any, one) == 1);
  GrownGraph named("0: irecv 1 0 a ; irecv 2 0 b ; waitany a b\n1: send 0 0\n2: send 0 0\n");
  named.start_all({0, 0, 1, 2});
  const EventRef other = named.answer(0, done({1}, {{1, {2, 0}}}));
  CHECK(taker(named, other) == other.event);
  GrownGraph several("0: irecv * 0 a ; irecv * 0 b ; waitall a b\n1: send 0 0\n2: send 0 0\n");
  several.start_all({0, 0, 1, 2});
  const EventRef both = several.answer(0, takes({{0, {2, 0}}, {1, {1, 0}}}));
  CHECK(taker(several, both) == both.event);
}

TEST_CASE("takers: a place is that of the program if known, otherwise each operation is one", "[mc][takers]") {
  const auto is_one_place = [](bool sites) {
    GrownGraph grown("0: recv * 0 ; recv * 0\n1: send 0 0 ; send 0 0\n", sites);
    grown.start_all({0, 1, 1});
    grown.answer(0, takes(0, {1, 0}));
    grown.start(0);
    return place_of(grown.graph(), {0, 0}) == place_of(grown.graph(), {0, 2});
  };
  CHECK(is_one_place(true));
  CHECK_FALSE(is_one_place(false));
}

TEST_CASE("takers: equal operations of different actors are different places", "[mc][takers]") {
  GrownGraph grown("0: recv * 0\n1: recv * 0\n", true);
  grown.start_all({0, 1});
  CHECK_FALSE(place_of(grown.graph(), {0, 0}) == place_of(grown.graph(), {1, 0}));
}
