// SPDX-License-Identifier: MIT
//
// Stories are orders of events that causality allows, with the fewest changes of actor that there can be.
#include "mc/counterexample/story.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <queue>
#include <set>

#include "tests/support/graphs.hpp"
#include "tests/support/random_litmus.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::counterexample;
using mc::graph::EventRef;
using mc::graph::Graph;
using tests::World;

namespace {

Prefix whole(const Graph& graph) {
  Prefix all;
  for (std::uint32_t a = 0; a < graph.actor_count(); ++a)
    all.push_back(static_cast<std::uint32_t>(graph.actor(a).events.size()));
  return all;
}

// By breadth-first search over how far each actor is and who was last: steps of one event.
std::uint32_t fewest_switches(const Graph& graph, const Prefix& prefix) {
  struct At {
    Prefix done;
    std::uint32_t last;
    auto operator<=>(const At&) const = default;
  };
  const auto nobody = static_cast<std::uint32_t>(prefix.size());
  std::map<At, std::uint32_t> cost;
  std::deque<At> pending{{Prefix(prefix.size(), 0), nobody}};
  cost[pending[0]] = 0;
  while (!pending.empty()) {
    const At at = pending.front();
    pending.pop_front();
    if (at.done == prefix) return cost[at];
    for (std::uint32_t a = 0; a < prefix.size(); ++a) {
      if (at.done[a] == prefix[a]) continue;
      const EventRef next{a, at.done[a]};
      bool can = true;
      for (std::uint32_t b = 0; b < prefix.size(); ++b) can = can && (b == a || at.done[b] >= graph.clock(next)[b]);
      if (!can) continue;
      At then = at;
      ++then.done[a];
      then.last = a;
      const bool is_switch = at.last != nobody && at.last != a;
      const std::uint32_t price = cost[at] + is_switch;
      const auto known = cost.find(then);
      if (known != cost.end() && known->second <= price) continue;
      cost[then] = price;
      is_switch ? pending.push_back(then) : pending.push_front(then);
    }
  }
  return ~0u;
}

std::uint32_t switches_in(const std::vector<EventRef>& events) {
  std::uint32_t switches = 0;
  for (std::size_t i = 1; i < events.size(); ++i) switches += events[i].actor != events[i - 1].actor;
  return switches;
}

bool is_an_order(const Graph& graph, const std::vector<EventRef>& events) {
  for (std::size_t i = 0; i < events.size(); ++i)
    for (std::size_t j = i + 1; j < events.size(); ++j)
      if (events[i] == events[j] || graph.before(events[j], events[i])) return false;
  return true;
}

}  // namespace

TEST_CASE("story: lines have the fewest changes of actor of all orders", "[mc][story][fuzz]") {
  std::size_t lines = 0, switches = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    tests::LitmusShape shape;
    shape.messages = 4;
    shape.waitany = seed % 2 == 0;
    shape.barriers = seed % 3 == 0;
    const std::string text = random_litmus(seed, shape);
    INFO(text);
    World world(text);
    int remaining = 3;
    world.for_each_execution([&](const Graph& graph) {
      const Prefix all = whole(graph);
      const Line line = line_up(graph, all);
      std::size_t events = 0;
      for (const std::uint32_t count : all) events += count;
      CHECK(line.events.size() == events);
      CHECK(is_an_order(graph, line.events));
      CHECK(line.switches == switches_in(line.events));
      CHECK(line.is_least);
      CHECK(line.switches == fewest_switches(graph, all));
      switches += line.switches;
      ++lines;
      return --remaining > 0;
    });
  }
  CHECK(lines > 60);
  CHECK(switches > 100);
}

TEST_CASE("story: the past of an actor's events contains the events that they depend on, no others",
          "[mc][story][fuzz]") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    tests::LitmusShape shape;
    shape.probes = seed % 2 == 0;
    World world(random_litmus(seed, shape));
    world.first_execution([&](const Graph& graph) {
      const Prefix all = whole(graph);
      for (std::uint32_t end = 0; end < all.size(); ++end) {
        const std::vector<std::uint32_t> ends{end};
        const Prefix past = past_of(graph, ends, all);
        CHECK(past[end] == all[end]);
        if (all[end] == 0) continue;
        for (std::uint32_t a = 0; a < all.size(); ++a)
          for (graph::EventIndex i = 0; i < all[a]; ++i)
            CHECK((i < past[a]) == graph.before({a, i}, {end, all[end] - 1}));
      }
    });
  }
}

TEST_CASE("story: the past of several actors is the union, limited to events that happened", "[mc][story]") {
  World world("0: send 2 0 ; send 2 0\n1: send 2 0\n2: recv 0 0 ; recv 1 0\n");
  world.first_execution([](const Graph& graph) {
    const Prefix all = whole(graph);
    CHECK(past_of(graph, std::vector<std::uint32_t>{2}, all) == Prefix{1, 1, 4});
    CHECK(past_of(graph, std::vector<std::uint32_t>{0}, all) == Prefix{2, 0, 0});
    CHECK(past_of(graph, std::vector<std::uint32_t>{0, 1}, all) == Prefix{2, 1, 0});
    CHECK(past_of(graph, std::vector<std::uint32_t>{2}, Prefix{2, 1, 2}) == Prefix{1, 0, 2});
    CHECK(past_of(graph, std::vector<std::uint32_t>{}, all) == Prefix{0, 0, 0});
    CHECK(past_of(graph, std::vector<std::uint32_t>{7, 1}, all) == Prefix{0, 1, 0});  // there is no actor 7
  });
}

TEST_CASE("story: an actor continues as far as it can before another one does", "[mc][story]") {
  World world("0: send 1 0 ; send 1 0 ; recv 1 0\n1: recv 0 0 ; recv 0 0 ; send 0 0\n");
  world.first_execution([](const Graph& graph) {
    const Line line = line_up(graph, whole(graph));
    CHECK(line.switches == 2);
    CHECK(line.events.front().actor == 0);
    CHECK(line.events.back().actor == 0);
  });
}

TEST_CASE("story: a line without events has no changes of actor", "[mc][story]") {
  World world("0: send 1 0\n1: recv 0 0\n");
  world.first_execution([](const Graph& graph) {
    const Line line = line_up(graph, Prefix{0, 0});
    CHECK(line.events.empty());
    CHECK(line.switches == 0);
  });
}

TEST_CASE("story: with too many states the line is still a valid order", "[mc][story]") {
  // Independent pairs: each pair may be at any of its places.
  std::string text;
  for (int a = 0; a < 12; ++a) {
    const std::string other = std::to_string(a ^ 1);
    text += std::to_string(a) + ":";
    for (int i = 0; i < 3; ++i)
      text += (i == 0 ? " " : " ; ") + (a % 2 == 0 ? "send " + other + " 0 ; recv " + other + " 0"
                                                   : "recv " + other + " 0 ; send " + other + " 0");
    text += "\n";
  }
  World world(text);
  world.first_execution([](const Graph& graph) {
    const Line line = line_up(graph, whole(graph));
    CHECK(is_an_order(graph, line.events));
    CHECK(line.switches == switches_in(line.events));
    CHECK_FALSE(line.is_least);
  });
}
