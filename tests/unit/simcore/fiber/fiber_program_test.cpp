// SPDX-License-Identifier: MIT
//
// FiberProgram and what actor.hpp promises to code on a fiber.
#include "simcore/fiber_program.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>

#include "simcore/actor.hpp"

using namespace rehearse;

namespace {

Observation at(std::int64_t picoseconds) {
  Observation observation;
  observation.now = TimePoint{picoseconds};
  return observation;
}

}  // namespace

TEST_CASE("fiber_program: an actor runs to its first operation only when the operation is requested",
          "[simcore][fiber]") {
  bool ran = false;
  FiberProgram program({[&] { ran = true; }});
  CHECK_FALSE(ran);
  const auto& operation = program.next(ActorId{0});
  CHECK(ran);
  REQUIRE(std::holds_alternative<End>(operation));
  CHECK(std::get<End>(operation).status == 0);
}

TEST_CASE("fiber_program: the answer reaches the actor that asked, in any order of actors", "[simcore][fiber]") {
  std::vector<std::int64_t> seen(3);
  std::vector<std::function<void()>> actors;
  for (int i = 0; i < 3; ++i)
    actors.push_back([&] {
      const ActorId self = current_actor();
      for (int round = 0; round < 2; ++round) seen[self.value] += ask(Clock{}).now.picoseconds;
    });
  FiberProgram program(actors);
  for (int i : {2, 0, 1}) program.resume(ActorId(i), at(10 * (i + 1)));
  for (int i : {1, 2, 0}) program.resume(ActorId(i), at(i));
  CHECK(seen == std::vector<std::int64_t>{10, 21, 32});
  for (int i = 0; i < 3; ++i) CHECK(std::holds_alternative<End>(program.next(ActorId(i))));
}

TEST_CASE("fiber_program: restart runs the function again from its beginning", "[simcore][fiber]") {
  int starts = 0;
  FiberProgram program({[&] {
    ++starts;
    ask(Sleep{});
    ask(Clock{});
  }});
  program.resume(ActorId{0}, {});
  REQUIRE(std::holds_alternative<Clock>(program.next(ActorId{0})));
  program.restart(ActorId{0});
  CHECK(std::holds_alternative<Sleep>(program.next(ActorId{0})));
  CHECK(starts == 2);
  CHECK(program.save(ActorId{0}) == nullptr);
}

TEST_CASE("fiber_program: an exception that leaves the function is a crash of that actor", "[simcore][fiber]") {
  FiberProgram program({[] { throw std::runtime_error("no luck"); }, [] { ask(Clock{}); }});
  const auto& operation = program.next(ActorId{0});
  REQUIRE(std::holds_alternative<Fail>(operation));
  CHECK(std::get<Fail>(operation).id == "crash.exception");
  CHECK(std::string(std::get<Fail>(operation).what).find("no luck") != std::string::npos);
  CHECK(std::holds_alternative<Clock>(program.next(ActorId{1})));
}

TEST_CASE("fiber_program: actors that wait inside catch blocks keep their own exceptions", "[simcore][fiber]") {
  std::vector<std::string> rethrown(2);
  auto body = [&] {
    const std::string name = std::to_string(current_actor().value);
    try {
      throw std::runtime_error(name);
    } catch (...) {
      ask(Clock{});
      try {
        throw;
      } catch (const std::runtime_error& again) {
        rethrown[current_actor().value] = again.what();
      }
    }
  };
  FiberProgram program({body, body});
  program.next(ActorId{0});
  program.next(ActorId{1});
  program.resume(ActorId{0}, {});
  program.resume(ActorId{1}, {});
  CHECK(rethrown == std::vector<std::string>{"0", "1"});
}

TEST_CASE("fiber_program: each actor has a slot that is null at its start", "[simcore][fiber]") {
  std::vector<void*> first(2), second(2);
  auto body = [&] {
    const auto self = current_actor().value;
    first[self] = actor_slot();
    actor_slot() = &first[self];
    ask(Clock{});
    second[self] = actor_slot();
  };
  FiberProgram program({body, body});
  for (std::uint32_t i : {0u, 1u}) program.next(ActorId{i});
  for (std::uint32_t i : {0u, 1u}) program.resume(ActorId{i}, {});
  CHECK(first == std::vector<void*>{nullptr, nullptr});
  CHECK(second == std::vector<void*>{&first[0], &first[1]});
  program.restart(ActorId{0});
  program.next(ActorId{0});
  CHECK(first[0] == nullptr);
}

TEST_CASE("fiber_program: a description of an actor does not move it", "[simcore][fiber]") {
  std::int64_t seen = 0;
  FiberProgram program({[&] { seen = ask(Clock{}).now.picoseconds; }});
  CHECK(program.describe(ActorId{0}).call == "clock");
  CHECK(std::holds_alternative<Clock>(program.next(ActorId{0})));
  program.resume(ActorId{0}, at(7));
  CHECK(seen == 7);
  CHECK(program.describe(ActorId{0}).call == "end");
}

TEST_CASE("fiber_program: ten thousand actors start and end", "[simcore][fiber]") {
  int ended = 0;
  std::vector<std::function<void()>> actors(10000, [&] {
    ask(Clock{});
    ++ended;
  });
  FiberProgram program(actors);
  for (std::uint32_t i = 0; i < 10000; ++i) program.next(ActorId{i});
  for (std::uint32_t i = 0; i < 10000; ++i) program.resume(ActorId{i}, {});
  CHECK(ended == 10000);
}

TEST_CASE("fiber_program: code outside of actors gets an error", "[simcore][fiber]") {
  CHECK_FALSE(in_actor());
  bool inside = false;
  FiberProgram program({[&] { inside = in_actor(); }});
  program.next(ActorId{0});
  CHECK(inside);
  CHECK_FALSE(in_actor());
}
