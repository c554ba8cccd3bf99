// SPDX-License-Identifier: MIT
//
// What operations ask of a graph, and what their answers say: of whom, how much, and when two answers are one.
#include "mc/reduction/questions.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <string>

#include "tests/support/graphs.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::reduction;
using mc::graph::EventRef;
using mc::graph::Option;
using mc::history::Reply;
using tests::done;
using tests::GrownGraph;
using tests::refused;
using tests::saw;
using tests::takes;

namespace {

// What the actor's last observation was answered.
Reply reply_to(const GrownGraph& grown, EventRef observation) {
  Reply reply;
  const graph::Event& event = grown.actor(observation.actor).events[observation.event];
  make_reply(const_cast<GrownGraph&>(grown).graph(), observation.actor, *event.node, event.option, reply);
  reply.seal();
  return reply;
}

history::Hash128 key_of(GrownGraph& grown, EventRef observation) {
  const graph::Event& event = grown.graph().event(observation);
  return reply_key(grown.graph(), observation.actor, *event.node, event.option);
}

std::int32_t number_in(std::span<const std::byte> data) {
  std::int32_t number = -1;
  REQUIRE(data.size() == sizeof number);
  std::memcpy(&number, data.data(), sizeof number);
  return number;
}

constexpr bool yes = true, no = false;

}  // namespace

TEST_CASE("questions: a blocking receive asks for its own request, which is complete when decided", "[mc][questions]") {
  GrownGraph grown("0: recv * 0\n1: send 0 0\n");
  grown.start_all({0, 1});
  const Question open = grown.question(0);
  CHECK(open.blocking);
  CHECK(open.quantifier == Quantifier::all);
  REQUIRE(open.targets.size() == 1);
  CHECK(open.targets[0].post == 0);
  CHECK_FALSE(open.targets[0].complete);
  grown.decide(0, 0, takes(0, {1, 0}));
  const Question decided = grown.question(0);
  CHECK(decided.targets[0].complete);
  CHECK(decided.targets[0].post == graph::no_event);
}

TEST_CASE("questions: a wait asks for each request; sends are complete, collectives if they can be",
          "[mc][questions]") {
  GrownGraph grown("0: isend 1 0 a ; irecv 1 0 b ; ibarrier c ; waitany a b c\n1: send 0 0 ; ibarrier d\n");
  grown.start_all({0, 0, 0, 1});
  Question question = grown.question(0);
  CHECK(question.quantifier == Quantifier::any);
  REQUIRE(question.targets.size() == 3);
  CHECK(question.targets[0].complete);
  CHECK(question.targets[1].post == 1);
  CHECK(question.targets[2].impossible);
  grown.start(1);
  question = grown.question(0);
  CHECK(question.targets[2].complete);
  CHECK_FALSE(question.targets[2].impossible);
}

TEST_CASE("questions: a probe has its pattern, a choice its number of ways", "[mc][questions]") {
  GrownGraph probing("0: probe 1 7\n1: send 0 7\n");
  CHECK(probing.question(0).probe);
  CHECK(probing.question(0).blocking);
  CHECK(probing.question(0).pattern.source == ActorId{1});
  CHECK(probing.question(0).pattern.tag == 7);
  GrownGraph choosing("0: choose 5\n1: send 0 7\n");
  CHECK(choosing.question(0).choices == 5);
  CHECK_FALSE(choosing.question(0).probe);
}

TEST_CASE("questions: a poll gets the answer no up to the bound on polls at one place", "[mc][questions]") {
  const std::uint32_t polls = GENERATE(1u, 2u, 3u);
  GrownGraph grown("0: iprobe 1 0 ; iprobe 1 0 ; iprobe 1 0 ; iprobe 1 0\n1: send 0 0\n", true);
  for (std::uint32_t reported = 0; reported < 4; ++reported) {
    CHECK(grown.question(0, polls).no_is_possible == (reported < polls));
    grown.answer(0, refused());
  }
}

TEST_CASE("questions: without known places, polls can always get the answer no", "[mc][questions]") {
  GrownGraph grown("0: iprobe 1 0 ; iprobe 1 0 ; iprobe 1 0\n1: send 0 0\n");
  for (int reported = 0; reported < 3; ++reported) {
    CHECK(grown.question(0, 1).no_is_possible);
    grown.answer(0, refused());
  }
}

TEST_CASE("questions: polls at several places are one loop, any other event ends it", "[mc][questions]") {
  const char* loops[] = {"iprobe 1 0 ; iprobe 1 1 ; iprobe 1 0", "iprobe 1 0 ; isend 1 0 s ; iprobe 1 0"};
  for (const char* loop : loops) {
    GrownGraph grown("0: " + std::string(loop) + "\n1: send 0 5\n", true);
    grown.answer(0, refused());
    const bool polls_only = loop == loops[0];
    polls_only ? grown.answer(0, refused()) : grown.start(0);
    CHECK(grown.question(0, 1).no_is_possible != polls_only);
  }
}

TEST_CASE("questions: a forced answer no stays possible for its poll", "[mc][questions]") {
  GrownGraph grown("0: iprobe 1 0 ; iprobe 1 0\n1: send 0 5\n", true);
  grown.answer(0, refused());
  const history::Node& node = *grown.actor(0).node;
  CHECK_FALSE(Questions(1).observation(grown.graph(), grown.view(0), node, no).no_is_possible);
  CHECK(Questions(1).observation(grown.graph(), grown.view(0), node, yes).no_is_possible);
  const EventRef forced = grown.answer(0, refused());
  grown.graph().mark_forced(forced.actor);
  const View before{0, forced.event, grown.view(0).visible};
  CHECK(Questions(1).of_event(grown.graph(), before, grown.graph().event(forced)).no_is_possible);
}

TEST_CASE("questions: a receive is withdrawn unless it is matched", "[mc][questions]") {
  GrownGraph grown("0: irecv 1 0 a ; cancel a\n1: send 0 0\n");
  grown.start_all({0, 1});
  CHECK(grown.question(0).no_is_possible);
  CHECK(grown.options(0) == std::vector<std::string>{"no", "0<-1.0"});
  grown.decide(0, 0, takes(0, {1, 0}));
  CHECK_FALSE(grown.question(0).no_is_possible);
  CHECK(grown.options(0) == std::vector<std::string>{"yes"});
}

TEST_CASE("questions: a question about an earlier view ignores later decisions", "[mc][questions]") {
  GrownGraph grown("0: irecv 1 0 a ; test a ; wait a\n1: send 0 0\n");
  grown.start_all({0, 1});
  const EventRef first = grown.answer(0, refused());
  grown.answer(0, takes(0, {1, 0}));
  const View before{0, first.event, grown.view(0).visible};
  const Question question = Questions(1).of_event(grown.graph(), before, grown.graph().event(first));
  CHECK_FALSE(question.targets[0].complete);
  CHECK(question.targets[0].post == 0);
}

TEST_CASE("questions: the answer to a receive has the sender and the message", "[mc][questions]") {
  GrownGraph grown("0: recv * *\n1: send 0 0\n2: send 0 9\n");
  grown.start_all({0, 1, 2});
  Reply reply = reply_to(grown, grown.answer(0, takes(0, {2, 0})));
  CHECK(reply.flag);
  const Observation seen = reply.observation();
  REQUIRE(seen.completions.size() == 1);
  CHECK(seen.completions[0].index == 0);
  CHECK(seen.completions[0].source == ActorId{2});
  CHECK(seen.completions[0].tag == 9);
  CHECK(number_in(seen.completions[0].data) == 2);
  REQUIRE(reply.sources.size() == 1);
  CHECK(reply.sources[0] == grown.graph().event({2, 0}).node);
}

TEST_CASE("questions: the answer to a wait has its requests by index, sends without data", "[mc][questions]") {
  GrownGraph grown("0: isend 1 0 a ; irecv * 0 b ; irecv * 0 c ; waitall a b c\n1: send 0 0\n2: send 0 0\n");
  grown.start_all({0, 0, 0, 1, 2});
  Reply reply = reply_to(grown, grown.answer(0, takes({{1, {2, 0}}, {2, {1, 0}}})));
  const Observation seen = reply.observation();
  REQUIRE(seen.completions.size() == 3);
  for (std::uint32_t i = 0; i < 3; ++i) CHECK(seen.completions[i].index == i);
  CHECK(seen.completions[0].data.empty());
  CHECK(seen.completions[1].source == ActorId{2});
  CHECK(seen.completions[2].source == ActorId{1});
}

TEST_CASE("questions: the answer to a wait for any has the one that was completed", "[mc][questions]") {
  GrownGraph grown("0: irecv 1 0 a ; irecv 2 0 b ; waitany a b\n1: send 0 0\n2: send 0 0\n");
  grown.start_all({0, 0, 1, 2});
  Reply reply = reply_to(grown, grown.answer(0, done({1}, {{1, {2, 0}}})));
  const Observation seen = reply.observation();
  REQUIRE(seen.completions.size() == 1);
  CHECK(seen.completions[0].index == 1);
  CHECK(seen.completions[0].source == ActorId{2});
}

TEST_CASE("questions: the answer no contains nothing else", "[mc][questions]") {
  GrownGraph grown("0: iprobe * 0\n1: send 0 0\n");
  Reply reply = reply_to(grown, grown.answer(0, refused()));
  CHECK_FALSE(reply.observation().flag);
  CHECK(reply.observation().completions.empty());
}

TEST_CASE("questions: the answer to a probe has the message that it sees", "[mc][questions]") {
  GrownGraph grown("0: iprobe * *\n1: send 0 3\n");
  grown.start(1);
  Reply reply = reply_to(grown, grown.answer(0, saw({1, 0})));
  const Observation seen = reply.observation();
  CHECK(seen.flag);
  REQUIRE(seen.completions.size() == 1);
  CHECK(seen.completions[0].tag == 3);
  CHECK(seen.completions[0].data.size() == sizeof(std::int32_t));
}

TEST_CASE("questions: the answer to a choice is the way", "[mc][questions]") {
  GrownGraph grown("0: choose 4\n1: send 0 0\n");
  Reply reply = reply_to(grown, grown.answer(0, done({3})));
  REQUIRE(reply.observation().completions.size() == 1);
  CHECK(reply.observation().completions[0].index == 3);
}

TEST_CASE("questions: the answer to a collective has a part for each member, empty if not needed", "[mc][questions]") {
  const auto parts_of = [](const std::string& call, std::uint32_t actor) {
    GrownGraph grown("0: " + call + "\n1: " + call + "\n2: " + call + "\n");
    grown.start_all({0, 1, 2});
    Reply reply = reply_to(grown, grown.answer(actor));
    std::vector<int> parts;
    for (const auto part : reply.observation().contributions) parts.push_back(part.empty() ? -1 : number_in(part));
    return parts;
  };
  CHECK(parts_of("barrier", 1) == std::vector<int>{0, 1, 2});
  CHECK(parts_of("bcast 2", 0) == std::vector<int>{-1, -1, 2});
  CHECK(parts_of("reduce 1", 1) == std::vector<int>{0, 1, 2});
  CHECK(parts_of("reduce 1", 0) == std::vector<int>{-1, -1, -1});
  CHECK(parts_of("scan", 1) == std::vector<int>{0, 1, -1});
  CHECK(parts_of("xbarrier 1", 0) == std::vector<int>{-1, 1, 2});
}

TEST_CASE("questions: a collective among other requests has its parts at its completion", "[mc][questions]") {
  GrownGraph grown("0: irecv 1 0 r ; iscan c ; ibarrier d ; waitall r c d\n1: send 0 0 ; iscan c ; ibarrier d\n");
  grown.start_all({0, 0, 0, 1, 1, 1});
  Reply reply = reply_to(grown, grown.answer(0, takes(0, {1, 0})));
  const Observation seen = reply.observation();
  REQUIRE(seen.completions.size() == 3);
  CHECK(seen.completions[0].contributions.empty());
  REQUIRE(seen.completions[1].contributions.size() == 2);
  CHECK(number_in(seen.completions[1].contributions[0]) == 0);
  CHECK(seen.completions[1].contributions[1].empty());
  REQUIRE(seen.completions[2].contributions.size() == 2);
  CHECK(number_in(seen.completions[2].contributions[1]) == 1);
}

TEST_CASE("questions: answers with the same content have the same key", "[mc][questions]") {
  const char* text = "0: recv * *\n1: send 0 0 ; send 0 1\n2: send 0 0\n";
  const auto key = [text](EventRef send, bool decides_before) {
    GrownGraph grown(text);
    grown.start_all({0, 1, 1, 2});
    if (decides_before) grown.decide(0, 0, takes(0, send));
    return key_of(grown, grown.answer(0, decides_before ? Option{} : takes(0, send)));
  };
  CHECK(key({1, 0}, no) == key({1, 0}, yes));
  CHECK_FALSE(key({1, 0}, no) == key({1, 1}, no));
  CHECK_FALSE(key({1, 0}, no) == key({2, 0}, no));
  GrownGraph twice("0: recv 1 0 ; recv 1 0\n1: send 0 0 ; send 0 0\n");
  twice.start_all({0, 1, 1});
  const history::Hash128 first = key_of(twice, twice.answer(0, takes(0, {1, 0})));
  twice.start(0);
  CHECK(key_of(twice, twice.answer(0, takes(2, {1, 1}))) == first);
}

TEST_CASE("questions: another flag or another set of requests has another key", "[mc][questions]") {
  const auto key = [](const Option& option) {
    GrownGraph grown("0: isend 1 0 a ; isend 1 0 b ; testsome a b\n1: recv 0 0\n");
    grown.start_all({0, 0});
    return key_of(grown, grown.answer(0, option));
  };
  const std::vector<Option> options{refused(), done({0}), done({1}), done({0, 1})};
  for (std::size_t i = 0; i < options.size(); ++i)
    for (std::size_t j = 0; j < options.size(); ++j) CHECK((key(options[i]) == key(options[j])) == (i == j));
}
