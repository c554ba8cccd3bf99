// SPDX-License-Identifier: MIT
//
// Figures of the parts, without loading programs: fiber switches, timed messages, explored executions.
#include <benchmark/benchmark.h>

#include <vector>

#include "mc/explore.hpp"
#include "simcore/actor.hpp"
#include "simcore/engine.hpp"
#include "simcore/fiber_program.hpp"
#include "tests/support/litmus.hpp"

namespace rehearse {
namespace {

// One round trip is two switches: into the actor and back.
void fiber_switch(benchmark::State& state) {
  FiberProgram program({[] {
    for (;;) ask(Compute{1});
  }});
  program.next({0});
  for (auto _ : state) program.resume({0}, {});
  state.SetItemsProcessed(state.iterations() * 2);
}
BENCHMARK(fiber_switch);

void exchange(std::uint32_t self, std::uint32_t rounds) {
  std::byte data[4]{};
  std::uint32_t request = 0;
  const auto send = [&] {
    Send op;
    op.request = {request++};
    op.destination = {1 - self};
    op.blocking = true;
    op.data = data;
    ask(op);
  };
  const auto receive = [&] { ask(Post{{request++}, {{0}, ActorId{1 - self}, Tag{0}}, sizeof data, true}); };
  for (std::uint32_t i = 0; i < rounds; ++i) {
    if (self == 0) send();
    receive();
    if (self == 1) send();
  }
}

void timed_ping_pong(benchmark::State& state) {
  constexpr std::uint32_t rounds = 10'000;
  Platform platform = std::move(make_platform("cluster:2").value());
  for (auto _ : state) {
    FiberProgram program({[] { exchange(0, rounds); }, [] { exchange(1, rounds); }});
    Engine engine(program, platform, std::move(make_cost_model({.network = "smpi"}, platform).value()), {});
    benchmark::DoNotOptimize(engine.run().value().end);
  }
  state.SetItemsProcessed(state.iterations() * 2 * rounds);
}
BENCHMARK(timed_ping_pong);

// One receiver takes one message from each of seven senders in any order: 5,040 executions, histories not yet known.
void explore_fan_in(benchmark::State& state) {
  std::string text = "0: ";
  for (int s = 1; s <= 7; ++s) text += "recv * 0 ; ";
  for (int s = 1; s <= 7; ++s) text += "\n" + std::to_string(s) + ": send 0 0";
  std::uint64_t executions = 0;
  for (auto _ : state) {
    const std::unique_ptr<Program> program = tests::make_litmus(text);
    executions +=
        mc::explore(*program, {}, [](const Outcome&, const Describe&) { return std::vector<Finding>(); }).executions;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(executions));
}
BENCHMARK(explore_fan_in);

}  // namespace
}  // namespace rehearse

BENCHMARK_MAIN();
