// SPDX-License-Identifier: MIT
//
// What becomes of explored executions under a policy is what every interleaving under that policy comes to.
#include "mc/buffering/policy_replay.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "mc/reduction/questions.hpp"
#include "simcore/support/format.hpp"
#include "tests/support/graphs.hpp"
#include "tests/support/random_litmus.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::buffering;
using mc::graph::EventIndex;
using mc::graph::EventKind;
using mc::graph::EventRef;
using mc::graph::Graph;
using tests::GrownGraph;
using tests::World;

namespace {

constexpr Policy unlimited{}, none_buffered{0, false}, four_bytes{4, false}, eight_bytes{8, false},
    all_wait{Policy::infinite, true};

// Ends by class: whether it is complete.
using Ends = std::map<std::pair<std::uint64_t, std::uint64_t>, bool>;

Ends replayed_ends(const std::string& text, const Policy& policy) {
  World world(text);
  Ends ends;
  PolicyReplay replay([] { return true; });
  world.for_each_execution([&](const Graph& graph) {
    CHECK(replay.run(graph, policy, [&](const PolicyOutcome& outcome) {
      const history::Hash128 name = class_of(graph, outcome);
      ends[{name.low, name.high}] = outcome.complete;
    }));
    return true;
  });
  return ends;
}

Ends interleaved_ends(const std::string& text, const Policy& policy) {
  World world(text);
  Ends ends;
  world.for_each_interleaved_end(policy, [&](const Graph& graph, const PolicyOutcome& outcome) {
    const history::Hash128 name = class_of(graph, outcome);
    ends[{name.low, name.high}] = outcome.complete;
  });
  return ends;
}

// What becomes of the first execution.
std::vector<PolicyOutcome> outcomes_of_first(const std::string& text, const Policy& policy) {
  World world(text);
  std::vector<PolicyOutcome> outcomes;
  world.first_execution([&](const Graph& graph) {
    PolicyReplay replay([] { return true; });
    replay.run(graph, policy, [&](const PolicyOutcome& outcome) { outcomes.push_back(outcome); });
  });
  return outcomes;
}

bool completes(const std::string& text, const Policy& policy) {
  const std::vector<PolicyOutcome> outcomes = outcomes_of_first(text, policy);
  return std::any_of(outcomes.begin(), outcomes.end(), [](const auto& outcome) { return outcome.complete; });
}

bool is_restricted(const std::string& text, const Policy& policy) {
  World world(text);
  bool is = false;
  world.first_execution([&](const Graph& graph) { is = restricts(graph, policy); });
  return is;
}

const char* head_to_head = "0: send 1 0 ; recv 1 0\n1: send 0 0 ; recv 0 0\n";

// A direct simulation of one execution whose receives all say what they take: everything that can happen happens, one
// event at a time; how many events of each actor do.
std::vector<EventIndex> simulated(const Graph& graph, const Policy& policy) {
  std::vector<EventIndex> at(graph.actor_count(), 0);
  const auto posted = [&](EventRef post) { return at[post.actor] > post.event; };
  const auto sent = [&](EventRef send) { return at[send.actor] >= send.event; };
  const auto matched = [&](EventRef one) {  // the receive and the message of a pair
    const EventRef other = graph.event(one).partner;
    if (other.event == graph::no_event) return false;
    const bool is_send = graph.event(one).kind == EventKind::send;
    return posted(is_send ? other : one) && sent(is_send ? one : other);
  };
  const auto send_done = [&](EventRef send) {
    const Send& message = graph.send_of(send);
    if (matched(send) || message.mode == SendMode::buffered) return true;
    if (message.mode == SendMode::synchronous) return false;
    std::uint64_t bytes = 0;
    for (EventIndex i = 0; i <= send.event; ++i) {
      const graph::Event& other = graph.event({send.actor, i});
      if (other.kind == EventKind::send && graph.send_of({send.actor, i}).destination == message.destination &&
          !matched({send.actor, i}))
        bytes += graph.send_of({send.actor, i}).data.size();
    }
    return policy.eager_bytes == Policy::infinite || (policy.eager_bytes > 0 && bytes <= policy.eager_bytes);
  };
  const auto request_done = [&](std::uint32_t a, RequestId request) {
    const EventRef started{a, graph.actor(a).requests[request.value]};
    return graph.event(started).kind == EventKind::send ? send_done(started) : matched(started);
  };
  for (bool changes = true; changes;) {
    changes = false;
    for (std::uint32_t a = 0; a < graph.actor_count(); ++a) {
      if (at[a] == graph.actor(a).events.size()) continue;
      const graph::Event& event = graph.event({a, at[a]});
      bool can = true;
      if (event.kind == EventKind::send) can = !graph.send_of({a, at[a]}).blocking || send_done({a, at[a]});
      if (event.kind == EventKind::observe) {
        if (const auto* post = std::get_if<Post>(&event.node->operation)) can = request_done(a, post->request);
        if (const auto* observe = std::get_if<Observe>(&event.node->operation))
          can = std::all_of(observe->requests.begin(), observe->requests.end(),
                            [&](RequestId r) { return request_done(a, r); });
      }
      if (!can) continue;
      ++at[a];
      changes = true;
    }
  }
  return at;
}

// Everybody sends and receives, each message with a tag of its own.
std::string tagged_program(std::uint64_t seed) {
  SplitMix chance(seed);
  constexpr std::uint32_t actors = 3;
  std::vector<std::vector<std::string>> parts(actors);
  for (int tag = 0; tag < 5; ++tag) {
    const auto from = static_cast<std::uint32_t>(chance.below(actors));
    const auto to = static_cast<std::uint32_t>((from + 1 + chance.below(actors - 1)) % actors);
    const char* modes[] = {"send", "send", "ssend", "bsend"};
    const std::string name = " " + std::to_string(tag) + " q" + std::to_string(tag);
    parts[from].push_back("i" + std::string(modes[chance.below(4)]) + " " + std::to_string(to) + name);
    parts[to].push_back("irecv " + std::to_string(from) + name);
  }
  std::string text;
  for (std::uint32_t a = 0; a < actors; ++a) {
    for (std::size_t k = parts[a].size(); k > 1; --k) std::swap(parts[a][k - 1], parts[a][chance.below(k)]);
    std::string line, open;
    for (const std::string& part : parts[a]) {
      const std::string name = part.substr(part.rfind(' '));
      if (chance.below(2) == 0) {  // blocking
        line += (line.empty() ? "" : " ; ") + part.substr(1, part.rfind(' ') - 1);
        continue;
      }
      line += (line.empty() ? "" : " ; ") + part;
      open += name;
    }
    if (!open.empty()) line += " ; waitall" + open;
    text += std::to_string(a) + ": " + line + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("policy replay: ends of random programs are those of all interleavings", "[mc][buffering][fuzz]") {
  std::size_t complete = 0, stuck = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    tests::LitmusShape shape;
    shape.waitany = seed % 2 == 0;
    shape.probes = shape.takes = seed % 3 == 0;
    shape.polls = shape.cancels = seed % 4 == 0;
    shape.collectives = seed % 5 == 0;
    shape.modes = seed % 3 == 1;
    const std::string text = random_litmus(seed, shape);
    for (const Policy& policy : {unlimited, none_buffered, four_bytes, all_wait}) {
      INFO(text << to_text(policy));
      const Ends ends = replayed_ends(text, policy);
      CHECK(ends == interleaved_ends(text, policy));
      for (const auto& [name, is_complete] : ends) ++(is_complete ? complete : stuck);
    }
  }
  CHECK(complete > 100);
  CHECK(stuck > 100);
}

TEST_CASE("policy replay: actors with named partners get as far as in a direct simulation", "[mc][buffering][fuzz]") {
  std::size_t stuck = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const std::string text = tagged_program(seed);
    for (const Policy& policy : {unlimited, none_buffered, four_bytes, eight_bytes}) {
      INFO(text << to_text(policy));
      World world(text);
      std::size_t executions = 0;
      world.for_each_execution([&](const Graph& graph) {
        ++executions;
        std::vector<PolicyOutcome> outcomes;
        PolicyReplay replay([] { return true; });
        replay.run(graph, policy, [&](const PolicyOutcome& outcome) { outcomes.push_back(outcome); });
        REQUIRE(outcomes.size() == 1);
        CHECK(outcomes[0].happened == simulated(graph, policy));
        stuck += !outcomes[0].complete;
        return true;
      });
      CHECK(executions == 1);
    }
  }
  CHECK(stuck > 50);
}

TEST_CASE("policy replay: two actors that send to each other first need buffer space", "[mc][buffering]") {
  CHECK(completes(head_to_head, unlimited));
  CHECK(completes(head_to_head, four_bytes));
  CHECK_FALSE(completes(head_to_head, none_buffered));
  CHECK_FALSE(completes(head_to_head, Policy{3, false}));
}

TEST_CASE("policy replay: the outcome of a deadlock has the events before it", "[mc][buffering]") {
  const auto outcomes =
      outcomes_of_first("0: send 1 5 ; send 1 0 ; recv 1 0\n1: recv 0 5 ; send 0 0 ; recv 0 0\n", none_buffered);
  REQUIRE(outcomes.size() == 1);
  CHECK_FALSE(outcomes[0].complete);
  CHECK(outcomes[0].happened == std::vector<EventIndex>{1, 2});
  REQUIRE(outcomes[0].matches.size() == 1);
  CHECK(outcomes[0].matches[0] == std::pair<EventRef, EventRef>{{1, 0}, {0, 0}});
}

TEST_CASE("policy replay: unmatched messages use the buffer space of their sender and receiver", "[mc][buffering]") {
  const char* two_each = "0: send 1 0 ; send 1 0 ; send 2 0 ; send 2 0 ; send 1 9 ; send 2 9\n"
                         "1: recv 0 9 ; recv 0 0 ; recv 0 0\n2: recv 0 9 ; recv 0 0 ; recv 0 0\n";
  CHECK_FALSE(completes(two_each, four_bytes));
  CHECK_FALSE(completes(two_each, Policy{7, false}));
  CHECK(completes(two_each, eight_bytes));  // the third is taken as soon as it is on its way
  CHECK(completes("0: send 1 0 ; send 1 0 ; send 1 0\n1: recv 0 0 ; recv 0 0 ; recv 0 0\n", four_bytes));
}

TEST_CASE("policy replay: synchronous sends wait under every policy, buffered ones under none", "[mc][buffering]") {
  for (const Policy& policy : {unlimited, none_buffered, four_bytes}) {
    CHECK_FALSE(completes("0: ssend 1 0 ; recv 1 0\n1: ssend 0 0 ; recv 0 0\n", policy));
    CHECK(completes("0: bsend 1 0 ; recv 1 0\n1: bsend 0 0 ; recv 0 0\n", policy));
    CHECK(completes("0: issend 1 0 s ; recv 1 0 ; wait s\n1: ssend 0 0 ; recv 0 0\n", policy));
  }
}

TEST_CASE("policy replay: with synchronising collectives a root waits for all other members", "[mc][buffering]") {
  const char* text = "0: bcast 0 ; send 1 0\n1: recv 0 0 ; bcast 0\n";
  CHECK(completes(text, unlimited));
  CHECK(completes(text, none_buffered));
  CHECK_FALSE(completes(text, all_wait));
  CHECK(completes("0: bcast 0 ; send 1 0\n1: bcast 0 ; recv 0 0\n", all_wait));
}

TEST_CASE("policy replay: it tries every match of the receives that an execution left undecided", "[mc][buffering]") {
  // Nobody waits for these receives; the senders do.
  const auto outcomes =
      outcomes_of_first("0: irecv * 0 a ; recv 1 9\n1: send 0 0 ; send 0 9\n2: send 0 0\n", none_buffered);
  std::set<std::uint32_t> takers;
  for (const PolicyOutcome& outcome : outcomes)
    for (const auto& [receive, send] : outcome.matches)
      if (receive == EventRef{0, 0}) takers.insert(send.actor);
  CHECK(takers == std::set<std::uint32_t>{1, 2});
  CHECK(std::count_if(outcomes.begin(), outcomes.end(), [](const auto& o) { return o.complete; }) == 0);
}

TEST_CASE("policy replay: receives from named senders that nobody waits for have one outcome", "[mc][buffering]") {
  // In every order, 30 matches would have more outcomes than can be counted.
  std::string text = "0:";
  for (int i = 0; i < 30; ++i) text += fmt::format("{} irecv {} {} r{}", i == 0 ? "" : " ;", 1 + i % 2, i, i);
  text += " ; recv 1 99\n";
  for (int sender = 1; sender <= 2; ++sender) {
    text += fmt::format("{}:", sender);
    for (int i = sender - 1; i < 30; i += 2) text += fmt::format("{} send 0 {}", i < 2 ? "" : " ;", i);
    text += "\n";
  }
  const auto outcomes = outcomes_of_first(text, none_buffered);
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].matches.size() == 30);
}

TEST_CASE("policy replay: a policy restricts an execution if it makes an actor wait", "[mc][buffering]") {
  const char* plain = "0: send 1 0\n1: recv 0 0\n";
  CHECK_FALSE(is_restricted(plain, unlimited));
  CHECK(is_restricted(plain, none_buffered));
  CHECK(is_restricted(plain, four_bytes));
  CHECK_FALSE(is_restricted(plain, all_wait));
  const char* buffered = "0: bsend 1 0\n1: recv 0 0\n";
  CHECK_FALSE(is_restricted(buffered, none_buffered));
  CHECK(is_restricted("0: ssend 1 0\n1: recv 0 0\n", unlimited));
  CHECK(is_restricted("0: bcast 0\n1: bcast 0\n", all_wait));
  CHECK_FALSE(is_restricted("0: bcast 0\n1: bcast 0\n", none_buffered));
  CHECK_FALSE(is_restricted("0: barrier\n1: barrier\n", all_wait));
}

TEST_CASE("policy replay: a collective is partial if a member does not need all others", "[mc][buffering]") {
  for (const auto& [call, is_partial] : {std::pair{"barrier", false}, {"bcast 0", true}, {"scan", true}}) {
    GrownGraph grown("0: " + std::string(call) + "\n1: " + call + "\n");
    CHECK_FALSE(has_partial_collectives(grown.graph()));
    grown.start(0);
    CHECK(has_partial_collectives(grown.graph()) == is_partial);
  }
}

TEST_CASE("policy replay: the class of an outcome is that of the observations up to its end", "[mc][buffering]") {
  World world("0: recv * 0 ; recv * 0\n1: send 0 0\n2: send 0 0\n");
  std::set<std::uint64_t> whole, first_only, nothing;
  world.for_each_execution([&](const Graph& graph) {
    PolicyOutcome outcome = tests::whole_outcome(graph);
    whole.insert(class_of(graph, outcome).low);
    outcome.happened[0] = 2;
    first_only.insert(class_of(graph, outcome).low);
    outcome.happened = {0, 0, 0};
    nothing.insert(class_of(graph, outcome).low);
    return true;
  });
  CHECK(whole.size() == 2);
  CHECK(first_only.size() == 2);
  CHECK(nothing.size() == 1);
}

TEST_CASE("policy replay: the caller can stop it", "[mc][buffering]") {
  std::string text = "0:", other = "1:";
  for (int i = 0; i < 2000; ++i) {
    text += (i == 0 ? " send 1 0" : " ; send 1 0");
    other += (i == 0 ? " recv 0 0" : " ; recv 0 0");
  }
  World world(text + "\n" + other + "\n");
  world.first_execution([&](const Graph& graph) {
    int asked = 0, reported = 0;
    PolicyReplay stopping([&] { return ++asked < 2; });
    CHECK_FALSE(stopping.run(graph, none_buffered, [&](const PolicyOutcome&) { ++reported; }));
    CHECK(asked == 2);
    CHECK(reported == 0);
    PolicyReplay patient([] { return true; });
    CHECK(patient.run(graph, none_buffered, [&](const PolicyOutcome&) { ++reported; }));
    CHECK(reported == 1);
  });
}
