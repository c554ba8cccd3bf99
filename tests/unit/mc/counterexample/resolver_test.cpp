// SPDX-License-Identifier: MIT
//
// Decisions by call site are made again in a program that has changed, or those that do not fit are reported.
#include "mc/counterexample/resolver.hpp"

#include <catch2/catch.hpp>

#include "tests/support/blocked.hpp"
#include "tests/support/graphs.hpp"
#include "tests/support/random_litmus.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::counterexample;
using mc::graph::EventKind;
using mc::graph::Graph;
using tests::World;

namespace {

CallSite site_of(std::uint32_t actor, const std::string& call, std::uint32_t occurrence) {
  return {{actor}, call, "actor", "litmus", 1, occurrence};
}

Decision receives(std::uint32_t receiver, std::uint32_t which, std::uint32_t sender, std::uint32_t sent) {
  Decision decision;
  decision.at = site_of(receiver, "recv", which);
  decision.matches.push_back({site_of(receiver, "recv", which), site_of(sender, "send", sent), true, {}, {}});
  return decision;
}

struct Resolved {
  std::string schedule;
  std::vector<std::string> problems;
};

Resolved resolved(const std::string& text, const std::vector<Decision>& decisions) {
  World world(text);
  Sites sites(world.program(), world.history());
  Resolver resolver(sites, decisions, "actor");
  Follower follower({}, [&](const Graph& graph, Forced& must) { resolver.update(graph, must); });
  Resolved result;
  CHECK(world.follow(follower, [&](const Graph& graph) {
    result.schedule = tests::schedule_of(graph);
    result.problems = resolver.problems(graph, follower.impossible());
  }));
  return result;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("resolver: places are described in words", "[mc][resolver]") {
  CHECK(to_text(CallSite{{2}, "recv", "work", "a.c", 7, 1}, "rank") == "the 1st recv of rank 2 in work (a.c:7)");
  const auto number = [](std::uint32_t occurrence) {
    const std::string text = to_text(CallSite{{0}, "f", "", "", 0, occurrence}, "actor");
    return text.substr(4, text.find(' ', 4) - 4);
  };
  const std::vector<std::pair<std::uint32_t, std::string>> numbers = {
      {1, "1st"},   {2, "2nd"},   {3, "3rd"},   {4, "4th"},     {10, "10th"},   {11, "11th"},   {12, "12th"},
      {13, "13th"}, {21, "21st"}, {22, "22nd"}, {103, "103rd"}, {111, "111th"}, {112, "112th"}, {1021, "1021st"}};
  for (const auto& [occurrence, text] : numbers) CHECK(number(occurrence) == text);
  CHECK(to_text(CallSite{{0}, "f", "", "", 0, 1}, "actor") == "the 1st f of actor 0");
}

TEST_CASE("resolver: a match is found by its calls although the program has new calls elsewhere", "[mc][resolver]") {
  const std::vector<Decision> decisions{receives(0, 1, 2, 1)};
  CHECK(resolved("0: recv * 0 ; recv * 0\n1: send 0 0\n2: send 0 0\n", decisions).schedule == "0:r0<-2#0;0:r1<-1#0");
  // Other calls before them: the numbers of requests are others.
  const Resolved moved = resolved("0: irecv 1 7 x ; wait x ; recv * 0 ; recv * 0\n1: bsend 0 7 ; send 0 0\n"
                                  "2: bsend 1 5 ; send 0 0\n",
                                  decisions);
  CHECK(moved.schedule == "0:r0<-1#0;0:r1<-2#1;0:r2<-1#1");
  CHECK(moved.problems.empty());
}

TEST_CASE("resolver: the second receive and the second message differ from the first", "[mc][resolver]") {
  const char* text = "0: recv * 0 ; recv * 0 ; recv * 0\n1: send 0 0 ; send 0 0\n2: send 0 0\n";
  CHECK(resolved(text, {receives(0, 2, 2, 1)}).schedule == "0:r0<-1#0;0:r1<-2#0;0:r2<-1#1");
  CHECK(resolved(text, {receives(0, 3, 1, 2), receives(0, 1, 2, 1)}).schedule == "0:r0<-2#0;0:r1<-1#0;0:r2<-1#1");
}

TEST_CASE("resolver: a call that no longer exists is reported", "[mc][resolver]") {
  const char* text = "0: recv * 0\n1: send 0 0\n2: send 0 0\n";
  const Resolved no_receive = resolved(text, {receives(0, 2, 1, 1)});
  CHECK(no_receive.problems == Texts{"the 2nd recv of actor 0 in actor (litmus:1) no longer exists"});
  const Resolved no_message = resolved(text, {receives(0, 1, 2, 2)});
  REQUIRE(no_message.problems.size() == 1);
  CHECK(no_message.problems[0] == "the 2nd send of actor 2 in actor (litmus:1) no longer exists; the 1st "
                                  "recv of actor 0 in actor (litmus:1) should take its message");
}

TEST_CASE("resolver: a match that is no longer possible is reported", "[mc][resolver]") {
  const Resolved result =
      resolved("0: recv 1 0 ; recv * 5\n1: send 0 0 ; send 0 5\n2: send 0 0\n", {receives(0, 1, 2, 1)});
  CHECK(result.problems == Texts{"the 1st recv of actor 0 in actor (litmus:1) cannot take the message of the 1st "
                                 "send of actor 2 in actor (litmus:1)"});
}

TEST_CASE("resolver: calls are found although the program has no choice any more", "[mc][resolver]") {
  const Resolved cannot = resolved("0: recv 1 0\n1: send 0 0\n2: send 0 0\n", {receives(0, 1, 2, 1)});
  CHECK(cannot.problems == Texts{"the 1st recv of actor 0 in actor (litmus:1) cannot take the message of the 1st "
                                 "send of actor 2 in actor (litmus:1)"});
  CHECK(resolved("0: recv 1 0\n1: send 0 0\n", {receives(0, 1, 1, 1)}).problems.empty());
  const Resolved gone = resolved("0: recv 1 0\n1: send 0 0\n", {receives(0, 2, 1, 1)});
  CHECK(gone.problems == Texts{"the 2nd recv of actor 0 in actor (litmus:1) no longer exists"});
}

TEST_CASE("resolver: a call after the last choice is found", "[mc][resolver]") {
  const char* text = "0: recv * 0 ; recv * 0 ; recv 1 5\n1: send 0 0 ; send 0 5\n2: send 0 0 ; send 0 5\n";
  const Resolved result = resolved(text, {receives(0, 1, 2, 1), receives(0, 3, 1, 2)});
  CHECK(result.schedule == "0:r0<-2#0;0:r1<-1#0;0:r2<-1#1");
  CHECK(result.problems.empty());
}

TEST_CASE("resolver: an answer that is now settled is the same, or reported as impossible", "[mc][resolver]") {
  Decision no, yes;
  no.at = yes.at = site_of(0, "iprobe", 1);
  no.answer.emplace().flag = false;
  yes.answer.emplace().seen = site_of(1, "send", 1);
  const char* text = "0: iprobe 1 0 ; recv 1 5\n1: send 0 5\n";  // nothing that it could find
  CHECK(resolved(text, {no}).problems.empty());
  CHECK(resolved(text, {yes}).problems ==
        Texts{"the 1st iprobe of actor 0 in actor (litmus:1) cannot be answered as before"});
  no.at = site_of(0, "iprobe", 2);
  CHECK(resolved(text, {no}).problems == Texts{"the 2nd iprobe of actor 0 in actor (litmus:1) no longer exists"});
}

TEST_CASE("resolver: a call at which an actor now waits is found, but has no answer", "[mc][resolver]") {
  Decision found;
  found.at = site_of(0, "probe", 1);
  found.answer.emplace().seen = site_of(1, "send", 1);
  CHECK(resolved("0: probe 1 0\n1: send 0 5\n", {found}).problems ==
        Texts{"the 1st probe of actor 0 in actor (litmus:1) cannot be answered as before"});
  Decision waits;
  waits.at = site_of(0, "probe", 1);
  waits.waits_for_ever = true;
  CHECK(resolved("0: probe 1 0\n1: send 0 5\n", {waits}).problems.empty());
}

TEST_CASE("resolver: an answer is made at the call of the original answer", "[mc][resolver]") {
  Decision way;
  way.at = site_of(0, "choose", 2);
  way.answer.emplace().completed = {1};
  CHECK(resolved("0: choose 2 ; choose 3\n1: send 0 0\n", {way}).schedule == "0:o0=yes(0);0:o1=yes(1)");
  CHECK(resolved("0: choose 2\n1: send 0 0\n", {way}).problems.size() == 1);
  Decision seen;
  seen.at = site_of(0, "iprobe", 1);
  seen.answer.emplace().seen = site_of(1, "send", 1);
  CHECK(resolved("0: iprobe * 0 ; recv * 0\n1: send 0 0\n", {seen}).schedule == "0:r0<-1#0;0:o0=saw 1#0");
}

TEST_CASE("resolver: the decisions of an execution, named by places, replay it", "[mc][resolver][fuzz]") {
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    tests::LitmusShape shape;
    shape.waitany = seed % 2 == 0;
    shape.probes = seed % 3 == 0;
    shape.branches = false;
    const std::string text = random_litmus(seed, shape);
    World world(text);
    Sites sites(world.program(), world.history());
    std::vector<std::pair<std::string, std::vector<Decision>>> executions;
    world.for_each_execution([&](const Graph& graph) {
      if (graph.tally().starved > 0) return true;
      auto& [schedule, decisions] = executions.emplace_back();
      schedule = tests::schedule_of(graph);
      for (std::uint32_t a = 0; a < graph.actor_count(); ++a)
        for (graph::EventIndex i = 0; i < graph.actor(a).events.size(); ++i) {
          const EventKind kind = graph.actor(a).events[i].kind;
          if (kind != EventKind::observe && kind != EventKind::decide) continue;
          if (graph.actor(a).events[i].settled) continue;  // there was nothing to decide
          const Forced words = as_forced(graph, {a, i});
          if (!words.is_empty()) decisions.push_back(sites.decision(graph, {a, i}, words));
        }
      return executions.size() < 8;
    });
    for (const auto& [schedule, decisions] : executions) {
      INFO(text << schedule);
      const Resolved again = resolved(text, decisions);
      CHECK(again.schedule == schedule);
      CHECK(again.problems.empty());
      ++compared;
    }
  }
  CHECK(compared > 60);
}
