// SPDX-License-Identifier: MIT
//
// The timed driver: messages that a probe takes, and receives that are withdrawn.
#include <catch2/catch.hpp>

#include "simcore/actor.hpp"
#include "simcore/engine.hpp"
#include "simcore/fiber_program.hpp"

namespace engine_taking_test {

using namespace rehearse;

namespace {

RunResult run(std::vector<std::function<void()>> bodies) {
  auto platform = make_platform("cluster:4");
  REQUIRE(platform);
  FiberProgram program(std::move(bodies));
  auto costs = make_cost_model({.network = "raw"}, platform.value());
  REQUIRE(costs);
  Engine engine(program, platform.value(), std::move(costs.value()), {});
  auto result = engine.run();
  REQUIRE(result);
  return std::move(result.value());
}

void send(std::uint32_t number, ActorId to, char letter, SendMode mode = SendMode::standard) {
  const std::byte data{static_cast<unsigned char>(letter)};
  ask(Send{{number}, {}, to, 0, mode, true, false, {&data, 1}});
}

char letter(const Completion& completion) { return static_cast<char>(completion.data[0]); }

const Pattern anything{{}, {}, {}};

}  // namespace

TEST_CASE("engine: no other receive matches a message that a probe took", "[simcore][engine]") {
  char probed = 0, other = 0, taken = 0;
  run({[] {
         send(0, {1}, 'a');
         send(1, {1}, 'b');
       },
       [&] {
         probed = letter(ask(Probe{anything, true, true}).completions[0]);
         other = letter(ask(Post{{0}, anything, 1, true}).completions[0]);
         taken = letter(ask(Post{{1}, anything, 1, true, 0}).completions[0]);
       }});
  CHECK((probed == 'a' && other == 'b' && taken == 'a'));
}

TEST_CASE("engine: the sender of a message that was only probed waits for its receive", "[simcore][engine]") {
  TimePoint sent, received;
  const RunResult result = run({[&] {
                                  send(0, {1}, 'a', SendMode::synchronous);
                                  sent = ask(Clock{}).now;
                                },
                                [&] {
                                  ask(Probe{anything, true, true});
                                  ask(Sleep{Duration::from_seconds(1)});
                                  ask(Post{{0}, anything, 1, true, 0});
                                  received = ask(Clock{}).now;
                                }});
  CHECK(sent.seconds() >= 1);
  const RunResult never = run({[] { send(0, {1}, 'a', SendMode::synchronous); },
                               [] {
                                 ask(Probe{anything, true, true});
                               }});
  CHECK(never.outcome.actors[0].state == ActorOutcome::State::blocked);
  CHECK(never.outcome.pending.size() == 1);
}

TEST_CASE("engine: a withdrawn receive matches no message", "[simcore][engine]") {
  bool early = true, late = false;
  char got = 0;
  const RunResult result = run({[] { send(0, {1}, 'a'); },
                                [&] {
                                  const RequestId first{0}, third{2};
                                  ask(Post{first, anything, 1});
                                  early = ask(Observe{{&first, 1}, Quantifier::all, false, true}).flag;
                                  got = letter(ask(Post{{1}, anything, 1, true}).completions[0]);
                                  ask(Post{third, anything, 1});
                                  late = ask(Observe{{&third, 1}, Quantifier::all, false, true}).flag;
                                }});
  CHECK((!early && !late && got == 'a'));
  CHECK(result.outcome.pending.empty());
}

}  // namespace engine_taking_test
