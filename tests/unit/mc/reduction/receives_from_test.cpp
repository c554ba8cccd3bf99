// SPDX-License-Identifier: MIT
//
// Executions that receives-from exploration comes to, by alternatives and revisits: each once, each a graph whose lists
// say what its events say.
#include "mc/reduction/receives_from.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <utility>

#include "tests/support/graphs.hpp"
#include "tests/support/litmus.hpp"
#include "tests/support/random_litmus.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::reduction;
using mc::graph::Event;
using mc::graph::EventIndex;
using mc::graph::EventKind;
using mc::graph::Graph;
using mc::graph::no_event;
using tests::World;

namespace {

std::string mixed_litmus(std::uint64_t seed) {
  tests::LitmusShape shape;
  shape.waitany = seed % 2 == 0;
  shape.probes = seed % 3 == 0;
  shape.polls = shape.cancels = seed % 4 == 0;
  shape.takes = seed % 5 == 0;
  shape.collectives = seed % 7 == 0;
  return random_litmus(seed, shape);
}

// What can be counted from the events alone.
void check_lists(const Graph& graph) {
  std::uint32_t matched = 0, sends = 0;
  for (std::uint32_t a = 0; a < graph.actor_count(); ++a) {
    const Graph::Actor& actor = graph.actor(a);
    std::vector<EventIndex> open, requests;
    std::map<std::uint32_t, std::vector<EventIndex>> inbox, open_inbox;
    for (EventIndex i = 0; i < actor.events.size(); ++i) {
      const Event& event = actor.events[i];
      if (i > 0) CHECK(actor.events[i - 1].stamp < event.stamp);
      const auto* post = std::get_if<Post>(&event.node->operation);
      if (event.kind == EventKind::post && !post->taken && event.decided_by == no_event) open.push_back(i);
      if (event.kind == EventKind::post) matched += event.partner.event != no_event;
      if (event.kind == EventKind::send) ++sends;
      if (event.kind == EventKind::send || event.kind == EventKind::post || event.kind == EventKind::arrive)
        requests.push_back(i);
      if (event.kind == EventKind::post && event.partner.event != no_event) {
        CHECK(graph.event(event.partner).partner == graph::EventRef{a, i});
        if (!post->taken)  // what a probe took is not asked for by a pattern
          CHECK(graph::accepts(graph.pattern_of(a, i), event.partner.actor, graph.send_of(event.partner)));
      }
    }
    CHECK(actor.requests == requests);
    CHECK(std::equal(actor.open_posts.begin(), actor.open_posts.end(), open.begin(), open.end()));
    for (std::uint32_t source = 0; source < graph.actor_count(); ++source) {
      std::vector<EventIndex> all, waiting;
      for (EventIndex i = 0; i < graph.actor(source).events.size(); ++i) {
        const Event& event = graph.event({source, i});
        if (event.kind != EventKind::send || graph.send_of({source, i}).destination.value != a) continue;
        all.push_back(i);
        if (event.decided_by == no_event) waiting.push_back(i);
      }
      CHECK(actor.inbox[source] == all);
      const graph::SortedEvents& listed = actor.open_inbox[source];
      CHECK(std::equal(listed.begin(), listed.end(), waiting.begin(), waiting.end()));
    }
  }
  CHECK(graph.tally().matched == matched);
  CHECK(graph.tally().sends == sends);
}

}  // namespace

TEST_CASE("receives-from: the lists of a graph agree with its events after any revisits", "[mc][receives_from][fuzz]") {
  std::size_t executions = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const std::string text = mixed_litmus(seed);
    INFO(text);
    World world(text);
    int remaining = 15;
    world.for_each_execution([&](const Graph& graph) {
      check_lists(graph);
      ++executions;
      return --remaining > 0;
    });
  }
  CHECK(executions > 200);
}

TEST_CASE("receives-from: no two executions have the same graph", "[mc][receives_from][fuzz]") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const std::string text = mixed_litmus(seed);
    INFO(text);
    World world(text);
    std::set<std::vector<std::uint64_t>> seen;
    std::size_t executions = 0;
    world.for_each_execution([&](const Graph& graph) {
      std::vector<std::uint64_t> name{graph.tally().unobserved.low};
      for (std::uint32_t a = 0; a < graph.actor_count(); ++a) {
        const std::vector<Event>& events = graph.actor(a).events;
        name.push_back(events.empty() ? 0 : events.back().history.low);
        name.push_back(!events.empty() && events.back().option.starved);
      }
      seen.insert(name);
      return ++executions < 200;
    });
    CHECK(seen.size() == executions);
  }
}

TEST_CASE("receives-from: a late message is offered to earlier receives", "[mc][receives_from]") {
  // Actor 2 sends only after it heard of actor 1: without revisits the first receive would never see its message.
  World world("0: recv * 0 ; recv * 0\n1: send 0 0 ; send 2 0\n2: recv 1 0 ; send 0 0\n");
  std::set<std::string> schedules;
  world.for_each_execution([&](const Graph& graph) { return schedules.insert(tests::schedule_of(graph)).second; });
  CHECK(schedules == std::set<std::string>{"0:r0<-1#0;0:r1<-2#1;2:r0<-1#1", "0:r0<-2#1;0:r1<-1#0;2:r0<-1#1"});
}

TEST_CASE("receives-from: a message with an observation in its past is not offered to it", "[mc][receives_from]") {
  World world("0: recv * 0 ; send 1 1 ; recv * 0\n1: send 0 0 ; recv 0 1 ; send 0 0\n");
  std::size_t executions = 0;
  world.for_each_execution([&](const Graph& graph) {
    CHECK(tests::schedule_of(graph) == "0:r0<-1#0;0:r2<-1#2;1:r1<-0#1");
    return ++executions < 5;
  });
  CHECK(executions == 1);
}

TEST_CASE("receives-from: no execution follows if it is certain that no work remains", "[mc][receives_from][fuzz]") {
  std::size_t certain = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    World world(mixed_litmus(seed));
    ReceivesFromExplorer explorer(world.history(), world.actors(), 1, [](const ReceivesFromExplorer&) { return true; });
    bool is_over = false;
    while (!is_over) {
      const bool is_certain = explorer.is_exhausted();
      bool found = false;
      is_over = explorer.run([&found](const Graph&) { return !std::exchange(found, true); });
      CHECK_FALSE((is_certain && found));
      certain += is_certain;
    }
  }
  CHECK(certain > 20);
}

TEST_CASE("receives-from: the first execution has position 0 until it is complete", "[mc][receives_from]") {
  World world(tests::fan_in(3));
  std::vector<double> positions;
  ReceivesFromExplorer explorer(world.history(), world.actors(), 1, {});
  explorer.ask(
      [&positions](const ReceivesFromExplorer& now) {
        positions.push_back(now.position());
        return true;
      },
      1);
  std::size_t asked_in_first = 0;
  CHECK(explorer.run([&](const Graph&) {
    if (asked_in_first == 0) asked_in_first = positions.size();
    return true;
  }));
  REQUIRE(asked_in_first > 2);
  CHECK(std::all_of(positions.begin(), positions.begin() + static_cast<std::ptrdiff_t>(asked_in_first),
                    [](double position) { return position == 0; }));
  CHECK(std::is_sorted(positions.begin(), positions.end()));
  CHECK(explorer.position() > 0);
}

TEST_CASE("receives-from: deviations are counted, and bounded", "[mc][receives_from]") {
  for (std::uint32_t most = 0; most <= 3; ++most) {
    World world(tests::fan_in(3));
    std::size_t executions = 0;
    const bool is_all = world.for_each_with_deviations(most, [&](const Graph&, std::uint32_t deviations) {
      CHECK(deviations <= most);
      ++executions;
    });
    CHECK(executions == std::vector<std::size_t>{1, 4, 6, 6}[most]);
    CHECK(is_all == (most >= 2));
  }
}

TEST_CASE("receives-from: random walks find executions of the exploration, and in time all of them",
          "[mc][receives_from][fuzz]") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    tests::LitmusShape shape;
    shape.messages = 4;
    shape.waitany = seed % 2 == 0;
    const std::string text = random_litmus(seed, shape);
    INFO(text);
    World world(text);
    std::set<std::string> all, walked;
    world.for_each_execution([&](const Graph& graph) {
      all.insert(tests::schedule_of(graph));
      return true;
    });
    SplitMix chance(seed);
    for (int i = 0; i < 400; ++i)
      World(text).walk(chance, [&](const Graph& graph) { walked.insert(tests::schedule_of(graph)); });
    CHECK(std::includes(all.begin(), all.end(), walked.begin(), walked.end()));
    if (all.size() <= 6) CHECK(walked == all);
  }
}

TEST_CASE("receives-from: an actor starves only if its other receives can take the messages", "[mc][receives_from]") {
  World world("0: irecv * 0 a ; recv 1 *\n1: send 0 0\n2: send 0 0\n");
  std::size_t starving = 0, fed = 0;
  world.for_each_execution([&](const Graph& graph) {
    ++(graph.tally().starved > 0 ? starving : fed);
    return true;
  });
  CHECK(starving == 1);  // the first receive took it
  CHECK(fed == 1);
  World safe("0: irecv 2 0 a ; recv 1 *\n1: send 0 0\n2: send 0 0\n");
  safe.for_each_execution([&](const Graph& graph) {
    CHECK(graph.tally().starved == 0);
    return true;
  });
}

TEST_CASE("races: both sides of each place take messages of different actors", "[mc][receives_from][fuzz]") {
  std::size_t places = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const std::string text = mixed_litmus(seed);
    INFO(text);
    World world(text);
    for (const World::RaceSides& race : world.races()) {
      ++places;
      CHECK_FALSE(race.here.empty());
      CHECK_FALSE(race.there.empty());
      for (const auto& there : race.there) CHECK(there != race.here);
    }
  }
  CHECK(places > 30);
}

TEST_CASE("races: there is one for each receive with several possible senders", "[mc][receives_from]") {
  CHECK(World("0: recv * 0 ; recv * 0\n1: send 0 0\n2: send 0 0\n").races().size() == 1);
  CHECK(World("0: recv * 0 ; recv * 0\n1: send 0 0\n2: send 0 0\n3: send 0 0\n").races().size() == 2);
  CHECK(World("0: recv 1 0 ; recv 2 0\n1: send 0 0\n2: send 0 0\n").races().empty());
  CHECK(World("0: recv * 0 ; recv * 0\n1: send 0 0 ; send 0 0\n2: barrier\n").races().empty());
}
