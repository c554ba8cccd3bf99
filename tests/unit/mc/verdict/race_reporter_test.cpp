// SPDX-License-Identifier: MIT
//
// The reported races are those that comparing all executions with each other finds, each with two executions that
// differ there; none is reported where only errors differ; and who explored does not matter.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "mc/counterexample/ending.hpp"
#include "mc/explore.hpp"
#include "mc/reduction/receives_from.hpp"
#include "mc/reduction/takers.hpp"
#include "tests/support/litmus.hpp"
#include "tests/support/random_litmus.hpp"
#include "tests/support/verdicts.hpp"

namespace race_telling_test {

using namespace rehearse;
using namespace rehearse::mc;
using mc::graph::EventIndex;
using mc::graph::Graph;
using tests::make_litmus;

namespace {

using Spot = std::pair<std::uint32_t, int>;  // actor and line

std::vector<Difference> reported(const std::string& text, std::uint32_t jobs = 1, Verdict* verdict = nullptr) {
  std::vector<Difference> differences;
  ExploreOptions options;
  options.bounds.all_findings = options.semantics.find_races = true;
  options.strategy.jobs = jobs;
  options.strategy.alone_seconds = options.strategy.undivided_seconds = 0;
  options.hooks.report_difference = [&](const Difference& difference) {
    differences.push_back(difference);
    return std::vector<Finding>{};
  };
  Verdict all = explore(*make_litmus(text), options, tests::judge_ends);
  if (verdict != nullptr) *verdict = std::move(all);
  return differences;
}

std::set<Spot> places_of(const std::vector<Difference>& differences) {
  std::set<Spot> places;
  for (const Difference& difference : differences) {
    places.insert({difference.actor.value, difference.where.line});
    for (const ActorId also : difference.also) places.insert({also.value, difference.where.line});
  }
  return places;
}

std::string text_of(const Difference& difference) {
  std::string text = std::to_string(difference.actor.value) + ":" + std::to_string(difference.where.line);
  for (const Difference::Side* side : {&difference.one, &difference.other}) {
    text += " '" + to_text(side->schedule) + "'";
    for (const ActorId taken : side->taken) text += " " + std::to_string(taken.value);
  }
  return text;
}

// What the actor was answered by its first events.
std::string answers_of(const Graph& graph, std::uint32_t actor, EventIndex events) {
  std::string text = std::to_string(actor);
  for (EventIndex i = 0; i < events; ++i) {
    const graph::Option& option = graph.event({actor, i}).option;
    text += option.flag ? ";" : "; no";
    for (const std::uint32_t index : option.completed) text += " " + std::to_string(index);
    for (const graph::Match& match : option.matches)
      text += " " + std::to_string(match.post) + "<" + std::to_string(match.send.actor) + "." +
              std::to_string(match.send.event);
    if (option.probed.event != graph::no_event)
      text += " saw " + std::to_string(option.probed.actor) + "." + std::to_string(option.probed.event);
  }
  return text;
}

// The same by looking at every execution: all answers up to there are the same, and whose message it takes is not.
std::set<Spot> by_comparison(const std::string& text) {
  const std::unique_ptr<Program> program = make_litmus(text);
  history::History history(*program, 1 << 26);
  reduction::ReceivesFromExplorer explorer(history, program->actor_count(), 1,
                                           [](const reduction::ReceivesFromExplorer&) { return true; });
  struct Taking {
    reduction::Senders senders;
    int taker = 0, observation = 0;  // lines
  };
  std::map<std::string, std::vector<Taking>> before;
  std::set<Spot> races;
  const auto line_of = [&](const Graph& graph, graph::EventRef event) {
    history.visit(graph.event(event).node);
    return program->describe({event.actor}).frames[0].line;
  };
  explorer.run([&](const Graph& graph) {
    if (!counterexample::ends_well(graph)) return true;
    for (std::uint32_t a = 0; a < graph.actor_count(); ++a) {
      const std::vector<graph::Event>& events = graph.actor(a).events;
      for (EventIndex i = 0; i < events.size(); ++i) {
        if (events[i].kind != graph::EventKind::observe && events[i].kind != graph::EventKind::decide) continue;
        const reduction::Senders senders = reduction::senders_of(graph, {a, i}, events[i].option);
        if (senders.empty()) continue;
        const Taking taking{senders, line_of(graph, {a, reduction::taker_of(graph, {a, i}, events[i].option)}),
                            line_of(graph, {a, i})};
        std::vector<Taking>& others = before[answers_of(graph, a, i)];
        for (const Taking& other : others)
          if (reduction::are_of_others(other.senders, senders))
            races.insert({a, other.taker == taking.taker ? taking.taker : taking.observation});
        others.push_back(taking);
      }
    }
    return true;
  });
  return races;
}

// Whether the actor's first decision that differs is that one, and both are schedules.
bool differ(const Difference& difference) {
  const Schedule &one = difference.one.schedule, &other = difference.other.schedule;
  return one != other && difference.one.taken != difference.other.taken && !difference.one.taken.empty() &&
         !difference.other.taken.empty() && difference.one.sent.size() == difference.one.taken.size();
}

}  // namespace

TEST_CASE("races: a receive from any source is reported once, with two executions", "[mc][races]") {
  const auto races = reported("0: recv * 0 ; recv * 0\n1: send 0 0\n2: send 0 0\n");
  REQUIRE(races.size() == 1);
  CHECK(races[0].kind == Difference::Kind::match);
  CHECK(races[0].where.call == "recv");
  CHECK(races[0].one.taken == std::vector<ActorId>{{1}});
  CHECK(races[0].other.taken == std::vector<ActorId>{{2}});
  CHECK(to_text(races[0].one.schedule) == "0:r0<-1#0;0:r1<-2#0");
  CHECK(to_text(races[0].other.schedule) == "0:r0<-2#0;0:r1<-1#0");
}

TEST_CASE("races: there is none if only one actor can send", "[mc][races]") {
  CHECK(reported("0: recv * 0 ; recv * 0\n1: send 0 0 ; send 0 0\n2: recv * 1\n3: send 2 1\n").empty());
  CHECK(reported("0: recv 1 0 ; recv 2 0\n1: send 0 0\n2: send 0 0\n").empty());
}

TEST_CASE("races: there is none if all other sides lead to errors", "[mc][races]") {
  CHECK(reported("0: recv * 0 ; recv 1 0\n1: send 0 0\n2: send 0 0\n").empty());
  const auto races = reported("0: recv * 0 ; recv 1 0 ; recv * 0\n1: send 0 0\n2: send 0 0\n3: send 0 0\n");
  REQUIRE(races.size() == 1);  // 2 or 3 first are both well
  CHECK(races[0].one.taken == std::vector<ActorId>{{2}});
  CHECK(races[0].other.taken == std::vector<ActorId>{{3}});
}

TEST_CASE("races: the reports are those of a comparison of all executions", "[mc][races][fuzz]") {
  tests::LitmusShape shape;
  shape.actors = GENERATE(3, 4);
  shape.messages = GENERATE(4, 6);
  shape.probes = shape.waitany = GENERATE(false, true);
  shape.synchronous = false;  // comparing graphs does not know who waits for whom
  std::uint64_t racing = 0, well = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const std::string text = random_litmus(seed, shape);
    Verdict verdict;
    const std::vector<Difference> races = reported(text, 1, &verdict);
    INFO(text);
    const std::set<Spot> found = places_of(races), all = by_comparison(text);
    for (const Difference& race : races) CHECK(differ(race));
    CHECK(std::ranges::includes(all, found));
    if (!verdict.findings.empty() || verdict.blocked > 0) continue;
    CHECK(found == all);
    ++well;
    racing += !all.empty();
  }
  CHECK(racing > 3);
  CHECK(well > racing);
}

TEST_CASE("races: they do not depend on the number of processes", "[mc][races][parallel]") {
  tests::LitmusShape shape;
  shape.messages = 7;
  shape.probes = shape.waitany = GENERATE(false, true);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::string text = random_litmus(seed, shape);
    const auto texts = [&](std::uint32_t jobs) {
      std::vector<std::string> result;
      for (const Difference& race : reported(text, jobs)) result.push_back(text_of(race));
      return result;
    };
    INFO(text);
    CHECK(texts(3) == texts(1));
  }
}

}  // namespace race_telling_test
