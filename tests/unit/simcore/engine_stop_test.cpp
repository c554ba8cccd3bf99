// SPDX-License-Identifier: MIT
//
// The timed driver after a request to stop: it ends at its next date, and reports what has happened until then.
#include <atomic>
#include <catch2/catch.hpp>

#include "simcore/engine.hpp"
#include "simcore/fiber_program.hpp"
#include "tests/support/actor_calls.hpp"

namespace engine_stop_test {

using namespace rehearse;
using rehearse::testing::ActorCalls;

namespace {

using Body = std::function<void(ActorCalls&)>;
using State = ActorOutcome::State;

RunResult run(const std::vector<Body>& bodies, const StopToken& stop, const std::string& network = "raw") {
  std::vector<std::function<void()>> functions;
  for (const Body& body : bodies)
    functions.push_back([body] {
      ActorCalls calls;
      body(calls);
    });
  FiberProgram program(std::move(functions));
  const Platform platform = std::move(make_platform("crossbar:2").value());
  ModelOptions models;
  models.network = network;
  models.stop = stop;
  EngineOptions options;
  options.stop = stop;
  Engine engine(program, platform, std::move(make_cost_model(models, platform).value()), std::move(options));
  auto result = engine.run();
  if (!result) FAIL(result.error().text);
  return std::move(result.value());
}

// Ten messages, one in each second.
Body sender(std::atomic<bool>& flag, int stops_after) {
  return [&flag, stops_after](ActorCalls& calls) {
    for (int i = 1; i <= 10; ++i) {
      calls.sleep(1);
      calls.send(1, "text");
      if (i == stops_after) flag = true;
    }
  };
}
const Body receiver = [](ActorCalls& calls) {
  for (int i = 0; i < 10; ++i) calls.receive(0);
};

}  // namespace

TEST_CASE("stop: a run ends at its next date, with the results until then", "[simcore][engine]") {
  std::atomic<bool> flag = false;
  const RunResult result = run({sender(flag, 4), receiver}, StopToken::watch(flag));
  CHECK(result.was_interrupted);
  CHECK(result.end.seconds() >= 4);
  CHECK(result.end.seconds() < 5.1);
  CHECK(result.actors[0].messages == 4);
  CHECK(result.actors[0].bytes == 16);
  CHECK(result.outcome.actors[0].state != State::ended);
  CHECK(result.outcome.actors[1].state == State::blocked);
}

TEST_CASE("stop: without a request, the same run reaches its end", "[simcore][engine]") {
  std::atomic<bool> flag = false;
  const RunResult result = run({sender(flag, 0), receiver}, StopToken::watch(flag));
  CHECK_FALSE(result.was_interrupted);
  CHECK(result.end.seconds() > 10);
  CHECK(result.actors[0].messages == 10);
  CHECK(result.outcome.actors[1].state == State::ended);
}

TEST_CASE("stop: a request before the run ends it at its first date", "[simcore][engine]") {
  std::atomic<bool> flag = true;
  const RunResult result = run({sender(flag, 0), receiver}, StopToken::watch(flag));
  CHECK(result.was_interrupted);
  CHECK(result.end.seconds() <= 1);
  CHECK(result.actors[0].messages == 0);
}

TEST_CASE("stop: a deadline that is over is a request", "[simcore][engine]") {
  std::atomic<bool> flag = false;
  const RunResult result = run({sender(flag, 0), receiver}, StopToken().until(StopToken::Clock::now(), -1.0));
  CHECK(result.was_interrupted);
  CHECK(result.actors[0].messages == 0);
}

TEST_CASE("stop: a request after the last event interrupts nothing", "[simcore][engine]") {
  std::atomic<bool> flag = false;
  const Body last = [&](ActorCalls& calls) {
    calls.receive(0);
    flag = true;
  };
  const RunResult result = run({[](ActorCalls& calls) { calls.send(1, "text"); }, last}, StopToken::watch(flag));
  CHECK_FALSE(result.was_interrupted);
  CHECK(result.outcome.actors[0].state == State::ended);
  CHECK(result.outcome.actors[1].state == State::ended);
}

TEST_CASE("stop: a message of packets that is under way is given up", "[simcore][engine]") {
  std::atomic<bool> flag = false;
  const Body large = [](ActorCalls& calls) { calls.send_bytes(1, 100'000'000); };
  const Body waiting = [&](ActorCalls& calls) {
    const RequestId request = calls.post(0);
    calls.sleep(1e-3);
    flag = true;
    calls.wait_all({request});
  };
  const RunResult result = run({large, waiting}, StopToken::watch(flag), "packet");
  CHECK(result.was_interrupted);
  CHECK(result.end.seconds() >= 1e-3);
  CHECK(result.end.seconds() < 1e8 / 1.25e9);  // the message alone takes longer
  CHECK(result.outcome.actors[1].state == State::blocked);
}

}  // namespace engine_stop_test
