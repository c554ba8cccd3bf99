// SPDX-License-Identifier: MIT
//
// Graphs say of each event what its past is, who takes which message and what is open, and are the same again when
// events are taken out and put back.
#include "mc/graph/graph.hpp"

#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <set>

#include "mc/graph/collective_instance.hpp"
#include "tests/support/graphs.hpp"
#include "tests/support/random_litmus.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::graph;
using mc::history::Hash128;
using tests::done;
using tests::GrownGraph;
using tests::refused;
using tests::saw;
using tests::takes;
using tests::text_of;
using tests::World;

namespace {

using Indices = std::vector<EventIndex>;

template <class List>
Indices all_in(const List& list) {
  return {list.begin(), list.end()};
}

std::vector<std::uint32_t> clock_of(const Graph& graph, EventRef event) {
  const auto clock = graph.clock(event);
  return {clock.begin(), clock.end()};
}

// What an event needs at once: the one before it of its actor, the messages that it takes or sees, and the arrivals of
// those whose data it is given.
std::vector<EventRef> direct_past(const Graph& graph, EventRef ref) {
  std::vector<EventRef> past;
  const Event& event = graph.event(ref);
  if (ref.event > 0) past.push_back({ref.actor, ref.event - 1});
  if (event.kind != EventKind::observe && event.kind != EventKind::decide) return past;
  for (const Match& match : event.option.matches) past.push_back(match.send);
  if (event.option.probed.event != no_event) past.push_back(event.option.probed);
  if (!event.option.flag || event.option.starved || event.kind == EventKind::decide) return past;
  const Graph::Actor& actor = graph.actor(ref.actor);
  const auto add_instance = [&](RequestId request) {
    const Event& arrival = actor.events[actor.requests[request.value]];
    if (arrival.kind != EventKind::arrive) return;
    const auto& op = std::get<Collective>(arrival.node->operation);
    for (std::size_t i = 0; i < op.members.size(); ++i)
      if (needs(op, ref.actor, i) && i != ref.actor)
        past.push_back({static_cast<std::uint32_t>(i), arrival.instance->arrivals[i]});
  };
  if (const auto* collective = std::get_if<Collective>(&event.node->operation)) add_instance(collective->request);
  if (const auto* observe = std::get_if<Observe>(&event.node->operation))
    for (std::uint32_t i = 0; i < observe->requests.size(); ++i)
      if (observe->quantifier == Quantifier::all ||
          std::find(event.option.completed.begin(), event.option.completed.end(), i) != event.option.completed.end())
        add_instance(observe->requests[i]);
  return past;
}

// The whole past by going through what is needed, again and again.
std::set<EventRef> whole_past(const Graph& graph, EventRef ref) {
  std::set<EventRef> past;
  std::vector<EventRef> pending{ref};
  while (!pending.empty()) {
    const EventRef at = pending.back();
    pending.pop_back();
    if (!past.insert(at).second) continue;
    for (const EventRef before : direct_past(graph, at)) pending.push_back(before);
  }
  return past;
}

std::vector<EventRef> all_events(const Graph& graph) {
  std::vector<EventRef> all;
  for (std::uint32_t a = 0; a < graph.actor_count(); ++a)
    for (EventIndex i = 0; i < graph.actor(a).events.size(); ++i) all.push_back({a, i});
  return all;
}

// Of several features, which a seed switches on.
std::string random_text(std::uint64_t seed) {
  tests::LitmusShape shape;
  shape.probes = seed % 2 == 0;
  shape.waitany = seed % 3 == 0;
  shape.polls = shape.cancels = seed % 5 < 2;
  shape.takes = seed % 7 < 3;
  shape.collectives = seed % 4 == 1;
  shape.groups = seed % 8 == 1;
  shape.modes = seed % 3 == 1;
  return random_litmus(seed, shape);
}

std::uint32_t newest(const Graph& graph) {
  std::uint32_t newest = graph.actor_count();
  for (std::uint32_t a = 0; a < graph.actor_count(); ++a)
    if (!graph.actor(a).events.empty() &&
        (newest == graph.actor_count() || graph.actor(a).events.back().stamp > graph.actor(newest).events.back().stamp))
      newest = a;
  return newest;
}

}  // namespace

TEST_CASE("graph: the past of an event is the transitive closure of the events that each needs", "[mc][graph][fuzz]") {
  std::size_t graphs = 0, related = 0, unrelated = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const std::string text = random_text(seed);
    INFO(text);
    World world(text);
    int remaining = 8;
    world.for_each_execution([&](const Graph& graph) {
      ++graphs;
      const std::vector<EventRef> events = all_events(graph);
      for (const EventRef e : events) {
        const std::set<EventRef> past = whole_past(graph, e);
        for (const EventRef other : events) {
          REQUIRE(graph.before(other, e) == past.contains(other));
          ++(past.contains(other) ? related : unrelated);
        }
      }
      return --remaining > 0;
    });
  }
  CHECK(graphs > 150);
  CHECK(related > 1000);
  CHECK(unrelated > 1000);
}

TEST_CASE("graph: removing the newest events and putting them back restores each graph", "[mc][graph][fuzz]") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const std::string text = random_text(seed);
    INFO(text);
    SplitMix chance(seed);
    GrownGraph grown(text);
    std::vector<std::string> was;
    do was.push_back(text_of(grown.graph()));
    while (was.size() < 60 && grown.grow_by_chance(chance));
    const std::string whole = text_of(grown.graph());
    const std::size_t dropped = chance.below(was.size());
    const std::uint32_t next = grown.graph().next_stamp();
    std::vector<Graph::Removed> removed;
    for (std::size_t i = 0; i < dropped; ++i) {
      const std::uint32_t actor = newest(grown.graph());
      removed.push_back(grown.graph().remove_last(actor));
      grown.graph().set_next_stamp(removed.back().event.stamp);
      REQUIRE(text_of(grown.graph()) == was[was.size() - 2 - i]);
    }
    for (; !removed.empty(); removed.pop_back()) grown.graph().put_back(std::move(removed.back()));
    grown.graph().set_next_stamp(next);
    REQUIRE(text_of(grown.graph()) == whole);
  }
}

TEST_CASE("graph: stamps increase in the order of addition, clocks along each actor", "[mc][graph]") {
  GrownGraph grown("0: recv 1 0 ; send 1 1\n1: send 0 0 ; recv 0 1\n");
  grown.start_all({0, 1, 1});
  grown.answer(0, takes(0, {1, 0}));
  grown.start(0);
  const Graph& graph = grown.graph();
  CHECK(graph.event({0, 0}).stamp == 0);
  CHECK(graph.event({1, 0}).stamp == 1);
  CHECK(graph.event({1, 1}).stamp == 2);
  CHECK(graph.event({0, 1}).stamp == 3);
  CHECK(graph.next_stamp() == 5);
  CHECK(clock_of(graph, {0, 0}) == std::vector<std::uint32_t>{1, 0});
  CHECK(clock_of(graph, {0, 1}) == std::vector<std::uint32_t>{2, 1});
  CHECK(clock_of(graph, {0, 2}) == std::vector<std::uint32_t>{3, 1});
  CHECK(clock_of(graph, {1, 1}) == std::vector<std::uint32_t>{0, 2});
  CHECK(graph.before({1, 0}, {0, 2}));
  CHECK_FALSE(graph.before({0, 2}, {1, 0}));
  CHECK(graph.before({0, 1}, {0, 1}));
}

TEST_CASE("graph: a message is open in its receiver's inbox until a receive takes it", "[mc][graph]") {
  GrownGraph grown("0: recv 2 0 ; recv * 0\n1: send 0 0 ; send 0 7\n2: send 0 0\n");
  grown.start_all({0, 1, 1, 2});
  const Graph::Actor& receiver = grown.actor(0);
  CHECK(receiver.inbox[1] == Indices{0, 1});
  CHECK(receiver.inbox[2] == Indices{0});
  CHECK(all_in(receiver.open_inbox[1]) == Indices{0, 1});
  CHECK(all_in(receiver.open_posts) == Indices{0});
  grown.answer(0, takes(0, {2, 0}));
  CHECK(receiver.inbox[2] == Indices{0});
  CHECK(receiver.open_inbox[2].empty());
  CHECK(receiver.open_posts.empty());
  const Event& send = grown.graph().event({2, 0});
  CHECK(send.partner == EventRef{0, 0});
  CHECK(send.decided_by == 1);
  CHECK(grown.graph().event({0, 0}).partner == EventRef{2, 0});
  CHECK(grown.graph().tally().matched == 1);
  grown.graph().pop(0);
  CHECK(send.partner.event == no_event);
  CHECK(send.decided_by == no_event);
  CHECK(all_in(receiver.open_inbox[2]) == Indices{0});
  CHECK(all_in(receiver.open_posts) == Indices{0});
  CHECK(grown.graph().tally().matched == 0);
}

TEST_CASE("graph: removing an event returns the actor to its node before", "[mc][graph]") {
  GrownGraph grown("0: recv 1 0 ; send 1 0\n1: send 0 0\n");
  grown.start_all({0, 1});
  grown.answer(0, takes(0, {1, 0}));
  const history::Node* behind = grown.actor(0).node;
  CHECK(std::holds_alternative<Send>(behind->operation));
  CHECK_FALSE(grown.actor(0).issued);
  Graph::Removed removed = grown.graph().remove_last(0);
  CHECK(std::holds_alternative<Post>(grown.actor(0).node->operation));
  CHECK(grown.actor(0).issued);  // it has posted, and waits
  CHECK(removed.node_after == behind);
  grown.graph().put_back(std::move(removed));
  CHECK(grown.actor(0).node == behind);
  CHECK_FALSE(grown.actor(0).issued);
}

TEST_CASE("graph: sends are counted by mode", "[mc][graph]") {
  GrownGraph grown("0: send 1 0 ; ssend 1 0 ; bsend 1 0 ; rsend 1 0\n1: recv 0 0\n");
  const auto counts = [&] {
    const Graph::Tally& t = grown.graph().tally();
    return std::vector<std::uint32_t>{t.sends, t.synchronous_sends, t.ready_sends, t.standard_sends};
  };
  const std::vector<std::vector<std::uint32_t>> expected = {{1, 0, 0, 1}, {2, 1, 0, 1}, {3, 1, 0, 1}, {4, 1, 1, 2}};
  for (const auto& now : expected) {
    grown.start(0);
    CHECK(counts() == now);
  }
  for (int i = 3; i-- > 0;) {
    grown.graph().pop(0);
    CHECK(counts() == expected[static_cast<std::size_t>(i)]);
  }
}

TEST_CASE("graph: each request has the event that started it", "[mc][graph]") {
  GrownGraph grown("0: isend 1 0 a ; irecv 1 0 b ; ibarrier c ; wait a ; wait b\n1: barrier\n");
  grown.start_all({0, 0, 0});
  grown.answer(0);
  CHECK(grown.actor(0).requests == Indices{0, 1, 2});
  CHECK(grown.graph().event({0, 0}).kind == EventKind::send);
  CHECK(grown.graph().event({0, 1}).kind == EventKind::post);
  CHECK(grown.graph().event({0, 2}).kind == EventKind::arrive);
  CHECK(grown.graph().event({0, 3}).kind == EventKind::observe);
  CHECK(grown.graph().event({0, 1}).request == RequestId{1});
}

TEST_CASE("graph: a decision matches a receive before its observation", "[mc][graph]") {
  GrownGraph grown("0: irecv * 0 a ; irecv * 0 b ; wait b ; wait a\n1: send 0 0\n2: send 0 0\n");
  grown.start_all({0, 0, 1, 2});
  CHECK(grown.graph().tally().unobserved == Hash128{});
  grown.decide(0, 0, takes(0, {2, 0}));
  CHECK(grown.graph().event({0, 0}).decided_by == 2);
  const Hash128 one = grown.graph().tally().unobserved;
  CHECK(one != Hash128{});
  grown.answer(0, takes(1, {1, 0}));
  CHECK(grown.graph().tally().unobserved == one);  // b was observed at once
  grown.answer(0);
  CHECK(grown.graph().tally().unobserved == Hash128{});
  grown.graph().pop(0);
  CHECK(grown.graph().tally().unobserved == one);
}

TEST_CASE("graph: the hash of unobserved matches does not depend on their order", "[mc][graph]") {
  const char* text = "0: irecv 1 0 a ; irecv 2 0 b ; irecv 2 0 c\n1: send 0 0\n2: send 0 0 ; send 0 0\n";
  const auto unobserved = [&](const std::vector<std::pair<std::uint32_t, Match>>& decisions) {
    GrownGraph grown(text);
    grown.start_all({0, 0, 0, 1, 2, 2});
    for (const auto& [request, match] : decisions) grown.decide(0, request, takes({match}));
    return grown.graph().tally().unobserved;
  };
  const std::pair<std::uint32_t, Match> a{0, {0, {1, 0}}}, b{1, {1, {2, 0}}}, c{2, {2, {2, 1}}};
  CHECK(unobserved({a, b, c}) == unobserved({c, a, b}));
  CHECK(unobserved({a, b}) == unobserved({b, a}));
  CHECK_FALSE(unobserved({a, b}) == unobserved({a, b, c}));
  CHECK_FALSE(unobserved({a}) == unobserved({b}));
}

TEST_CASE("graph: the history of an actor contains its observations, not their dates or decisions", "[mc][graph]") {
  const char* text = "0: irecv * 0 a ; irecv * 0 b ; wait a ; wait b\n1: send 0 0\n2: send 0 0\n";
  const auto history = [&](std::uint32_t first, std::uint32_t second, bool decides, bool late) {
    GrownGraph grown(text);
    grown.start_all(late ? std::vector<std::uint32_t>{2, 1, 0, 0} : std::vector<std::uint32_t>{0, 0, 1, 2});
    if (decides) grown.decide(0, 0, takes(0, {first, 0}));
    grown.answer(0, decides ? Option{} : takes(0, {first, 0}));
    grown.answer(0, takes(1, {second, 0}));
    return grown.actor(0).events.back().history;
  };
  const Hash128 one = history(1, 2, false, false);
  CHECK(history(1, 2, true, false) == one);
  CHECK(history(1, 2, false, true) == one);
  CHECK_FALSE(history(2, 1, false, false) == one);
}

TEST_CASE("graph: another answer or another probed message is another history", "[mc][graph]") {
  const auto history = [](const Option& answered) {
    GrownGraph grown("0: iprobe * 0 ; recv * 0\n1: send 0 0 ; send 0 0\n2: send 0 0\n");
    grown.start_all({1, 1, 2});
    grown.answer(0, answered);
    return grown.actor(0).events.back().history;
  };
  const Hash128 none = history(refused()), one = history(saw({1, 0})), two = history(saw({2, 0}));
  CHECK_FALSE(none == one);
  CHECK_FALSE(one == two);
  CHECK_FALSE(none == two);
  CHECK(history(saw({1, 0})) == one);
}

TEST_CASE("graph: a message is marked as probed until its first probe is removed", "[mc][graph]") {
  GrownGraph grown("0: probe 1 0 ; probe * 0 ; recv 1 0\n1: send 0 0\n");
  grown.start(1);
  grown.answer(0, saw({1, 0}));
  const Event& send = grown.graph().event({1, 0});
  CHECK(send.probed_by == 0);
  CHECK(send.decided_by == no_event);
  grown.answer(0, saw({1, 0}));
  CHECK(send.probed_by == 0);
  CHECK(grown.actor(0).probed == 1);
  CHECK(grown.actor(0).open_probed == 1);
  grown.start(0);
  grown.answer(0, takes(2, {1, 0}));
  CHECK(grown.actor(0).probed == 1);
  CHECK(grown.actor(0).open_probed == 0);
  for (int i = 0; i < 3; ++i) grown.graph().pop(0);  // the receive, what it took, and the second probe
  CHECK(send.probed_by == 0);
  CHECK(grown.actor(0).open_probed == 1);
  grown.graph().pop(0);
  CHECK(send.probed_by == no_event);
  CHECK(grown.actor(0).probed == 0);
}

TEST_CASE("graph: a message that a probe took has a partner when it is received", "[mc][graph]") {
  GrownGraph grown("0: mprobe * 0 m ; mrecv m\n1: send 0 0\n");
  grown.start(1);
  grown.answer(0, saw({1, 0}));
  const Event& send = grown.graph().event({1, 0});
  CHECK(send.decided_by == 0);
  CHECK(send.partner == EventRef{0, no_event});
  CHECK(grown.actor(0).takes == Indices{0});
  CHECK(grown.actor(0).open_inbox[1].empty());
  CHECK(grown.graph().tally().matched == 0);
  grown.start(0);
  CHECK(send.partner == EventRef{0, 1});
  CHECK(grown.actor(0).posts.empty());  // it takes part in no matching
  CHECK(grown.graph().tally().matched == 1);
  grown.graph().pop(0);
  CHECK(send.partner == EventRef{0, no_event});
  CHECK(grown.graph().tally().matched == 0);
}

TEST_CASE("graph: a withdrawn receive is not open, one that was matched before keeps its message", "[mc][graph]") {
  GrownGraph grown("0: irecv * 0 a ; cancel a\n1: send 0 0\n");
  grown.start_all({0, 1});
  const EventRef no = grown.answer(0, refused());
  CHECK(grown.graph().withdrawn_by(0, grown.graph().event(no)) == 0);
  CHECK(grown.graph().event({0, 0}).decided_by == 1);
  CHECK(grown.graph().event({0, 0}).partner.event == no_event);
  CHECK(grown.actor(0).open_posts.empty());
  grown.graph().pop(0);
  CHECK(all_in(grown.actor(0).open_posts) == Indices{0});
  const EventRef yes = grown.answer(0, takes(0, {1, 0}));
  CHECK(grown.graph().withdrawn_by(0, grown.graph().event(yes)) == no_event);
  CHECK(grown.graph().event({0, 0}).partner == EventRef{1, 0});
}

TEST_CASE("graph: a starved actor is counted until its observation is removed", "[mc][graph]") {
  GrownGraph grown("0: irecv * 0 a ; recv 1 0\n1: send 0 0\n");
  grown.start_all({0, 0, 1});
  grown.answer(0, tests::starving());
  CHECK(grown.graph().tally().starved == 1);
  grown.graph().pop(0);
  CHECK(grown.graph().tally().starved == 0);
}

TEST_CASE("graph: only unsettled observations can be revisited", "[mc][graph]") {
  GrownGraph grown("0: recv * 0 ; recv * 0\n1: send 0 0 ; send 0 0\n");
  grown.start_all({0, 1, 1});
  grown.answer(0, takes(0, {1, 0}));
  CHECK(grown.actor(0).revisitable == Indices{1});
  grown.start(0);
  grown.graph().append(0, EventKind::observe, {}, true);
  grown.graph().set_option(0, takes(2, {1, 1}));
  CHECK(grown.actor(0).revisitable == Indices{1});
  grown.graph().pop(0);
  CHECK(grown.actor(0).revisitable == Indices{1});
}

TEST_CASE("graph: a message counts the older probes that read it", "[mc][graph]") {
  GrownGraph grown("0: iprobe 1 0 ; recv 1 0\n1: send 0 0\n");
  grown.answer(0, refused());
  const std::uint32_t stamp = grown.graph().event({0, 0}).stamp;
  grown.start(1);
  const std::uint32_t next = grown.graph().next_stamp();
  CHECK(grown.graph().event({1, 0}).early_readers == 0);
  grown.graph().pop(0);  // as a revisit does
  grown.graph().set_next_stamp(stamp);
  grown.answer(0, saw({1, 0}));
  grown.graph().set_next_stamp(next);
  CHECK(grown.graph().event({1, 0}).early_readers == 1);
  grown.graph().pop(0);
  CHECK(grown.graph().event({1, 0}).early_readers == 0);
}

TEST_CASE("graph: the n-th calls of a collective are one instance, which is empty when they are removed",
          "[mc][graph]") {
  GrownGraph grown("0: ibarrier a ; ibarrier b\n1: ibarrier a ; ibarrier b\n");
  grown.start_all({0, 0, 1, 1});
  const Graph& graph = grown.graph();
  CHECK(graph.instance_count() == 2);
  CHECK(graph.event({0, 0}).instance == graph.event({1, 0}).instance);
  CHECK(graph.event({0, 1}).instance == graph.event({1, 1}).instance);
  CHECK(graph.event({0, 0}).instance != graph.event({0, 1}).instance);
  const CollectiveInstance& second = *graph.event({0, 1}).instance;
  CHECK(second.arrivals == Indices{1, 1});
  CHECK(second.arrived == 2);
  grown.graph().pop(1);
  grown.graph().pop(0);
  CHECK(second.arrived == 0);
  CHECK(second.arrivals == Indices{no_event, no_event});
  grown.start(1);
  CHECK(graph.instance_count() == 2);  // the same one
  CHECK(second.arrivals == Indices{no_event, 1});
}

TEST_CASE("graph: arrivals at partial collectives are counted", "[mc][graph]") {
  GrownGraph grown("0: ibarrier a ; ibcast 0 b ; iscan c\n1: ibarrier a\n");
  const auto partial = [&] { return grown.graph().tally().partial_arrivals; };
  grown.start(0);
  CHECK(partial() == 0);
  grown.start(0);
  CHECK(partial() == 1);
  grown.start(0);
  CHECK(partial() == 2);
  grown.graph().pop(0);
  grown.graph().pop(0);
  CHECK(partial() == 0);
}

TEST_CASE("graph: unsettled questions about collectives are counted", "[mc][graph]") {
  GrownGraph grown("0: ibarrier a ; test a ; wait a\n1: ibarrier b ; wait b\n");
  grown.start(0);
  grown.answer(0, refused());
  CHECK(grown.graph().tally().collective_questions == 1);
  grown.start(1);
  grown.answer(0);
  CHECK(grown.graph().tally().collective_questions == 2);
  CHECK(clock_of(grown.graph(), {0, 2}) == std::vector<std::uint32_t>{3, 1});
  grown.graph().pop(0);
  grown.graph().pop(0);
  CHECK(grown.graph().tally().collective_questions == 0);
}
