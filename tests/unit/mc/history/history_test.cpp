// SPDX-License-Identifier: MIT
//
// Local histories: what an actor asked after each list of answers is run once, remembered, forgotten and run again.
#include "mc/history/history.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <cstring>
#include <map>
#include <string>

#include "simcore/actor.hpp"
#include "simcore/fiber_program.hpp"
#include "tests/support/litmus.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::history;

namespace {

constexpr std::uint64_t plenty = std::uint64_t{1} << 24;

Hash128 key_number(std::uint64_t number) { return {number, ~number}; }

// A choice was answered so.
const Node* choose_way(History& history, const Node* node, std::uint32_t way) {
  return history.advance(node, key_number(way), [way](Reply& reply) { reply.completions.emplace_back().index = way; });
}

std::uint32_t way_count(const Node* node) { return std::get<Choose>(node->operation).count; }

// A tree of choices: at each depth one more way.
const char* choices = "0: choose 2 ; choose 3 ; choose 4 ; choose 5\n";

}  // namespace

TEST_CASE("history: an actor runs once for each list of answers", "[mc][history]") {
  const auto program = tests::make_litmus(choices);
  History history(*program, plenty);
  const Node* start = history.start({0});
  CHECK(history.start({0}) == start);
  CHECK(way_count(start) == 2);
  CHECK(history.application_runs() == 1);
  const Node* one = choose_way(history, start, 1);
  CHECK(choose_way(history, start, 1) == one);
  CHECK(history.application_runs() == 2);
  const Node* other = choose_way(history, start, 0);
  CHECK(other != one);
  CHECK(way_count(other) == 3);
  CHECK(one->parent == start);
  CHECK(one->depth == 1);
  CHECK(one->level == 1);
}

TEST_CASE("history: the same answers bring an actor back to a node", "[mc][history]") {
  const auto program = tests::make_litmus("0: choose 2 ; onsrc 0: choose 7 | 1: choose 9\n");
  History history(*program, plenty);
  const Node* start = history.start({0});
  const Node* left = choose_way(history, start, 0);
  const Node* right = choose_way(history, start, 1);
  CHECK(way_count(left) == 7);
  CHECK(way_count(right) == 9);
  for (const Node* node : {left, right, start, left}) {
    history.visit(node);
    CHECK(std::get<Choose>(program->next({0})).count == way_count(node));
  }
  CHECK(std::holds_alternative<End>(choose_way(history, left, 3)->operation));
  CHECK(std::holds_alternative<End>(choose_way(history, right, 8)->operation));
}

TEST_CASE("history: a dropped node is computed again and is equal", "[mc][history]") {
  const auto program = tests::make_litmus(choices);
  History history(*program, 0);  // no room at all
  const Node* start = history.start({0});
  std::map<std::string, Hash128> known;
  for (int round = 0; round < 3; ++round)
    for (std::uint32_t a = 0; a < 2; ++a)
      for (std::uint32_t b = 0; b < 3; ++b) {
        const Node* node = choose_way(history, choose_way(history, start, a), b);
        const std::string name = std::to_string(a) + std::to_string(b);
        const auto [found, added] = known.emplace(name, node->fingerprint);
        CHECK(found->second == node->fingerprint);
        CHECK(added == (round == 0));
        CHECK(way_count(node) == 4);
        if (history.is_full()) history.collect({});
      }
  CHECK(history.application_runs() > 6 + 2 + 1);
}

TEST_CASE("history: needed nodes stay, with their ancestors and sources", "[mc][history]") {
  const auto program = tests::make_litmus(choices);
  History history(*program, 0);
  const Node* deep = history.start({0});
  std::vector<const Node*> line{deep};
  for (int i = 0; i < 3; ++i) line.push_back(deep = choose_way(history, deep, 1));
  choose_way(history, line[0], 0);
  const Node* needed[] = {deep};
  history.collect(needed);
  for (std::size_t i = 1; i < line.size(); ++i) CHECK(line[i]->parent == line[i - 1]);
  const std::uint64_t runs = history.application_runs();
  CHECK(choose_way(history, line[2], 1) == deep);
  CHECK(history.application_runs() == runs);
  choose_way(history, line[0], 0);  // this was not needed
  CHECK(history.application_runs() > runs);
}

TEST_CASE("history: local operations are answered and counted", "[mc][history]") {
  FiberProgram program({[] {
    ask(Log{1, "a"});
    ask(Compute{1e9});
    ask(Clock{});
    ask(Choose{2, "x"});
    ask(Log{2, "b"});
  }});
  History history(program, plenty);
  const Node* start = history.start({0});
  CHECK(way_count(start) == 2);
  CHECK(start->depth == 3);
  CHECK(start->level == 0);
  CHECK(start->asked_time);
  CHECK(start->clock.now.seconds() > 1);
  const Node* end = choose_way(history, start, 0);
  CHECK(std::holds_alternative<End>(end->operation));
  CHECK(end->depth == 5);
  CHECK_FALSE(end->asked_time);
  CHECK(end->effects.output != start->effects.output);
}

TEST_CASE("history: a node leads to the reports and publications of its actor", "[mc][history]") {
  Finding finding;
  finding.id = "leak";
  const std::string value = text_of(Published{Published::Kind::value, "x", 7});
  FiberProgram program({[&] {
    ask(Choose{1, "x"});
    ask(Report{&finding});
    ask(Log{published_stream, value});
    ask(Choose{1, "x"});
  }});
  History history(program, plenty);
  const Node* start = history.start({0});
  CHECK(start->last_report == nullptr);
  CHECK(start->last_published == nullptr);
  const Node* reported = choose_way(history, start, 0);
  REQUIRE(reported->last_report == reported);
  CHECK(reported->reports[0].id == "leak");
  REQUIRE(reported->last_published == reported);
  CHECK(reported->published->at(0).value == 7);
  const Node* end = choose_way(history, reported, 0);
  CHECK(end->last_report == reported);
  CHECK(end->last_published == reported);
}

TEST_CASE("history: an actor that makes only local operations fails", "[mc][history]") {
  FiberProgram program({[] {
    for (;;) ask(Log{1, "again"});
  }});
  History history(program, plenty);
  history.limit_local_seconds(0.02);
  const Node* start = history.start({0});
  REQUIRE(std::holds_alternative<Fail>(start->operation));
  CHECK(std::get<Fail>(start->operation).id == "progress.step");
  CHECK(start->is_endless);
  history.visit(start);
  CHECK(history.start({0}) == start);
}

TEST_CASE("history: an interrupted actor can begin its step again", "[mc][history]") {
  std::atomic<bool> is_over = true;
  FiberProgram program({[] {
    for (int i = 0; i < 5000; ++i) ask(Log{1, "again"});
    ask(Choose{2, "x"});
  }});
  History history(program, plenty);
  history.give_up_when(StopToken::watch(is_over));
  CHECK_THROWS_AS(history.start({0}), GivenUp);
  is_over = false;
  CHECK(way_count(history.start({0})) == 2);
}

TEST_CASE("history: an actor that makes another operation is not deterministic", "[mc][history]") {
  int runs = 0;
  FiberProgram program({[&] {
    ask(Choose{2, "first"});
    ask(Choose{runs++ == 0 ? 3u : 4u, "second"});
  }});
  History history(program, plenty);
  const Node* start = history.start({0});
  const Node* left = choose_way(history, start, 0);
  CHECK(way_count(left) == 3);
  const Node* right = choose_way(history, start, 1);
  CHECK(way_count(right) == 4);
  bool is_reported = false;
  try {
    history.visit(left);
  } catch (const Diverged& diverged) {
    is_reported = diverged.actor == ActorId{0} && to_text(diverged).find("is not deterministic") != std::string::npos;
  }
  CHECK(is_reported);
}

TEST_CASE("history: an actor with other data has strayed, and its first data are kept", "[mc][history]") {
  int secret = 0;
  FiberProgram program({[&] {
    ask(Choose{2, "first"});
    const int data = secret++;
    Send send;
    send.destination = {0};
    send.data = std::as_bytes(std::span(&data, 1));
    ask(send);
    ask(Choose{2, "second"});
  }});
  History history(program, plenty);
  const Node* start = history.start({0});
  const Node* sends = choose_way(history, start, 0);
  choose_way(history, start, 1);
  CHECK(history.strayed() == nullptr);
  const Node* behind = history.advance(sends);
  CHECK(way_count(behind) == 2);
  REQUIRE(history.strayed() != nullptr);
  CHECK(history.strayed()->what.find("with other data than before") != std::string::npos);
  int given = -1;
  std::memcpy(&given, std::get<Send>(sends->operation).data.data(), sizeof given);
  CHECK(given == 0);
}

TEST_CASE("history: the node owns the data of its operation, of any size", "[mc][history]") {
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{8}, std::size_t{48}, std::size_t{49}, std::size_t{1024}, std::size_t{100'000}}) {
    std::vector<std::byte> data(size, std::byte{5});
    FiberProgram program({[&] {
      Send send;
      send.destination = {0};
      send.data = data;
      ask(send);
    }});
    History history(program, plenty);
    const Node* node = history.start({0});
    std::fill(data.begin(), data.end(), std::byte{9});
    const std::span<const std::byte> own = std::get<Send>(node->operation).data;
    REQUIRE(own.size() == size);
    for (const std::byte byte : own) REQUIRE(byte == std::byte{5});
    CHECK((node->large_data != nullptr) == (size >= DataStore::worthwhile));
    CHECK(node->bytes >= sizeof(Node));
  }
}

TEST_CASE("history: the parts of a reply belong to its completions, in order", "[mc][history]") {
  const std::byte bytes[3] = {std::byte{1}, std::byte{2}, std::byte{3}};
  const auto part = [&](std::size_t i) { return std::span<const std::byte>(bytes).subspan(i, 1); };
  Reply reply;
  reply.completions.resize(3);
  reply.parts = {part(0), part(1), part(2)};
  reply.part_ends = {0, 1, 3};
  reply.remarks.resize(1);
  reply.seal();
  const Observation seen = reply.observation();
  REQUIRE(seen.completions.size() == 3);
  CHECK(seen.completions[0].contributions.empty());
  CHECK(seen.completions[1].contributions.size() == 1);
  REQUIRE(seen.completions[2].contributions.size() == 2);
  CHECK(seen.completions[2].contributions[1].data() == bytes + 2);
  CHECK(seen.completions[2].remarks.size() == 2);
  Reply alone;
  alone.parts = {part(0), part(1)};
  alone.seal();
  CHECK(alone.observation().contributions.size() == 2);
  CHECK(alone.observation().completions.empty());
}
