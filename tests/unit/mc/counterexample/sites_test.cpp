// SPDX-License-Identifier: MIT
//
// Places of decisions are described by call, function and occurrence.
#include "mc/counterexample/sites.hpp"

#include <catch2/catch.hpp>

#include "tests/support/blocked.hpp"
#include "tests/support/graphs.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::counterexample;
using tests::GrownGraph;
using tests::takes;

namespace {

Sites sites_of(GrownGraph& grown) { return {grown.world().program(), grown.world().history()}; }

const char* three_receives = "0: recv * 0 ; irecv 1 0 a ; recv * 0 ; wait a\n1: send 0 0 ; send 0 0 ; send 0 0\n";

void receive_three(GrownGraph& grown) {
  grown.start_all({0, 1, 1, 1});
  grown.answer(0, takes(0, {1, 0}));
  grown.start_all({0, 0});
  grown.answer(0, takes({{2, {1, 1}}, {3, {1, 2}}}));
}

}  // namespace

TEST_CASE("sites: a place has its actor, call, function, file and line", "[mc][sites]") {
  GrownGraph grown(three_receives);
  grown.start(0);
  const CallSite site = sites_of(grown).of(grown.graph(), {0, 0});
  CHECK(site == CallSite{{0}, "recv", "actor", "litmus", 1, 1});
  CHECK(sites_of(grown).call_in_full(grown.graph(), {0, 0}) == "recv");
}

TEST_CASE("sites: occurrences count calls of the same name and kind only", "[mc][sites]") {
  const bool sites = GENERATE(false, true);
  GrownGraph grown(three_receives, sites);
  receive_three(grown);
  Sites places = sites_of(grown);
  CHECK(places.of(grown.graph(), {0, 0}).occurrence == 1);
  CHECK(places.of(grown.graph(), {0, 1}).occurrence == 1);  // what the first receive observes
  CHECK(places.of(grown.graph(), {0, 2}).call == "irecv");
  CHECK(places.of(grown.graph(), {0, 2}).occurrence == 1);
  CHECK(places.of(grown.graph(), {0, 3}).occurrence == 2);
  CHECK(places.of(grown.graph(), {1, 2}).occurrence == 3);
}

TEST_CASE("sites: the place of an actor is the same before and after its observation", "[mc][sites]") {
  GrownGraph grown("0: recv * 0 ; recv * 0\n1: send 0 0 ; send 0 0\n");
  grown.start_all({0, 1, 1});
  Sites places = sites_of(grown);
  CHECK(places.of_next(grown.graph(), 0).occurrence == 1);
  grown.answer(0, takes(0, {1, 0}));
  grown.start(0);
  const CallSite next = places.of_next(grown.graph(), 0);
  CHECK(next.occurrence == 2);
  grown.answer(0, takes(2, {1, 1}));
  CHECK(places.of(grown.graph(), {0, 3}) == next);
}

TEST_CASE("sites: a decision names the calls of the receive and of the send", "[mc][sites]") {
  GrownGraph grown(three_receives);
  receive_three(grown);
  Sites places = sites_of(grown);
  const Decision first = places.decision(grown.graph(), {0, 1}, as_forced(grown.graph(), {0, 1}));
  CHECK(first.at.call == "recv");
  REQUIRE(first.matches.size() == 1);
  CHECK(first.matches[0].receive.occurrence == 1);
  CHECK(first.matches[0].message == CallSite{{1}, "send", "actor", "litmus", 1, 1});
  CHECK(first.matches[0].any_source);
  CHECK(first.matches[0].message_number == RequestId{0});
  const Decision both = places.decision(grown.graph(), {0, 4}, as_forced(grown.graph(), {0, 4}));
  REQUIRE(both.matches.size() == 2);
  CHECK_FALSE(both.matches[0].any_source);
  CHECK(both.matches[1].any_source);
  CHECK(both.matches[1].message.occurrence == 3);
  CHECK_FALSE(both.answer);
  CHECK_FALSE(both.waits_for_ever);
}

TEST_CASE("sites: a decision contains the answer to a poll, a probe or a choice", "[mc][sites]") {
  GrownGraph grown("0: iprobe * 0 ; probe * 0 ; choose 3\n1: send 0 0\n");
  grown.answer(0, tests::refused());
  grown.start(1);
  grown.answer(0, tests::saw({1, 0}));
  grown.answer(0, tests::done({2}));
  Sites places = sites_of(grown);
  const auto reported = [&](graph::EventIndex event) {
    return places.decision(grown.graph(), {0, event}, as_forced(grown.graph(), {0, event})).answer;
  };
  REQUIRE(reported(0));
  CHECK_FALSE(reported(0)->flag);
  CHECK_FALSE(reported(0)->seen);
  REQUIRE(reported(1));
  CHECK(reported(1)->seen == CallSite{{1}, "send", "actor", "litmus", 1, 1});
  REQUIRE(reported(2));
  CHECK(reported(2)->completed == std::vector<std::uint32_t>{2});
}

TEST_CASE("sites: a decision leaves out operations that were never started", "[mc][sites]") {
  GrownGraph grown(three_receives);
  grown.start_all({0, 1});
  const Decision decision = sites_of(grown).decision(grown.graph(), {0, 0}, tests::forced_match(0, 0, 1, 7));
  CHECK(decision.matches.empty());
  Forced starved;
  starved.starved.emplace(ActorId{0}, 0);
  CHECK(sites_of(grown).decision(grown.graph(), {0, 0}, starved).waits_for_ever);
}
