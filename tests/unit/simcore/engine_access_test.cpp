// SPDX-License-Identifier: MIT
//
// The timed driver: accesses to the memory of other actors, and traffic that only takes time.
#include <catch2/catch.hpp>
#include <cstring>
#include <vector>

#include "simcore/actor.hpp"
#include "simcore/engine.hpp"
#include "simcore/fiber_program.hpp"

namespace engine_access_test {

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

// The memory that effects change.
struct Cell {
  int value = 0;
  bool is_open = true;
};

struct Order {
  Cell* cell;
  int factor;
  int addend;
};

// value = value * factor + addend; answers the old value.
bool change(const EffectCall& call) {
  Order order{};
  std::memcpy(&order, call.data.data(), sizeof order);
  if (!order.cell->is_open) {
    call.waits_for.push_back({1});
    return false;
  }
  call.answer.resize(sizeof(int));
  std::memcpy(call.answer.data(), &order.cell->value, sizeof(int));
  order.cell->value = order.cell->value * order.factor + order.addend;
  return true;
}

int access(std::uint32_t number, const Order& order, std::uint64_t bytes_there, bool blocking) {
  RemoteAccess access;
  access.request = {number};
  access.target = {1};
  access.effect = change;
  access.data = std::as_bytes(std::span(&order, 1));
  access.bytes_there = bytes_there;
  access.missing = "to open the cell";
  access.blocking = blocking;
  const Observation& answer = ask(access);
  int old = -1;
  if (blocking) std::memcpy(&old, answer.completions[0].data.data(), sizeof old);
  return old;
}

}  // namespace

TEST_CASE("access: the effect happens while its target waits, and the answer comes back", "[simcore][engine]") {
  Cell cell{7};
  int old = 0;
  TimePoint done;
  run({[&] {
         old = access(0, {&cell, 0, 9}, 0, true);
         done = ask(Clock{}).now;
       },
       [] { ask(Sleep{Duration::from_seconds(5)}); }});
  CHECK(old == 7);
  CHECK(cell.value == 9);
  CHECK(done.seconds() > 0);
  CHECK(done.seconds() < 1);
}

TEST_CASE("access: effects of one actor at one target have the order of their start", "[simcore][engine]") {
  Cell cell{1};
  run({[&] {
         access(0, {&cell, 2, 0}, 100'000'000, false);  // arrives last
         access(1, {&cell, 1, 3}, 0, false);
         const RequestId both[] = {{0}, {1}};
         ask(Observe{both});
       },
       [] {}});
  CHECK(cell.value == 5);
}

TEST_CASE("access: an effect that is not possible yet happens after an operation of the target", "[simcore][engine]") {
  Cell cell{1, false};
  TimePoint done;
  const RunResult result = run({[&] {
                                  access(0, {&cell, 1, 1}, 0, true);
                                  done = ask(Clock{}).now;
                                },
                                [&] {
                                  ask(Sleep{Duration::from_seconds(2)});
                                  cell.is_open = true;
                                  ask(Sleep{Duration::from_seconds(2)});
                                }});
  CHECK(result.outcome.actors[0].state == ActorOutcome::State::ended);
  CHECK(cell.value == 2);
  CHECK(done.seconds() >= 2);
  CHECK(done.seconds() < 3);
}

TEST_CASE("access: an effect that never is possible blocks its actor, which waits for the named ones",
          "[simcore][engine]") {
  Cell cell{1, false};
  const RunResult result = run({[&] { access(0, {&cell, 1, 1}, 0, true); }, [] {}});
  CHECK(result.outcome.actors[0].state == ActorOutcome::State::blocked);
  REQUIRE(result.outcome.pending.size() == 1);
  CHECK(result.outcome.pending[0].kind == PendingRequest::Kind::access);
  CHECK(result.outcome.pending[0].missing == std::vector<ActorId>{{1}});
  CHECK(result.outcome.pending[0].name == "to open the cell");
}

TEST_CASE("access: traffic takes the time of its bytes, and only a settle waits for it", "[simcore][engine]") {
  TimePoint started, settled;
  run({[&] {
         ask(Traffic{{1}, 100'000'000, 0, false});
         started = ask(Clock{}).now;
         ask(Settle{});
         settled = ask(Clock{}).now;
       },
       [] {}});
  CHECK(started.seconds() < 1e-6);
  CHECK(settled.seconds() > 0.01);
}

}  // namespace engine_access_test
