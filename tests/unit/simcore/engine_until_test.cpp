// SPDX-License-Identifier: MIT
//
// A timed run that is cut at a date: what happens until then happens as in the whole run.
#include <catch2/catch.hpp>

#include "simcore/engine.hpp"
#include "simcore/fiber_program.hpp"
#include "tests/support/actor_calls.hpp"
#include "tests/support/cost_runs.hpp"

namespace engine_until_test {

using namespace rehearse;
using rehearse::testing::ActorCalls;
using rehearse::testing::platform_of;

namespace {

using Body = std::function<void(ActorCalls&)>;
using State = ActorOutcome::State;

RunResult run_until(const std::vector<Body>& bodies, double seconds, ResourceObserver* observer = nullptr,
                    Platform platform = std::move(make_platform("crossbar:2").value())) {
  std::vector<std::function<void()>> functions;
  for (const Body& body : bodies)
    functions.push_back([body] {
      ActorCalls calls;
      body(calls);
    });
  FiberProgram program(std::move(functions));
  ModelOptions models;
  models.network = "raw";
  EngineOptions options;
  if (seconds > 0) options.until = TimePoint{} + Duration::from_seconds(seconds);
  std::unique_ptr<CostModel> costs = std::move(make_cost_model(models, platform).value());
  if (observer != nullptr) costs->observe(*observer, {.speeds = true, .loads = true});
  Engine engine(program, platform, std::move(costs), std::move(options));
  auto result = engine.run();
  if (!result) FAIL(result.error().text);
  return std::move(result.value());
}

// A message after each second of computation.
const Body computing_sender = [](ActorCalls& calls) {
  const double flops_of_a_second = 1e10;
  for (int i = 0; i < 4; ++i) {
    calls.compute(flops_of_a_second);
    calls.send(1, "text");
  }
};
const Body waiting_receiver = [](ActorCalls& calls) {
  for (int i = 0; i < 4; ++i) calls.receive(0);
};

}  // namespace

TEST_CASE("until: a run is cut at the date, and counts what is not over", "[simcore][engine]") {
  const RunResult whole = run_until({computing_sender, waiting_receiver}, 0);
  REQUIRE_FALSE(whole.was_cut);
  const double a_second = whole.actors[0].compute_seconds / 4;
  const RunResult cut = run_until({computing_sender, waiting_receiver}, 2.5 * a_second);
  CHECK(cut.was_cut);
  CHECK_FALSE(cut.was_interrupted);
  CHECK(cut.end.seconds() == Approx(2.5 * a_second));
  CHECK(cut.actors[0].messages == 2);
  CHECK(cut.actors[0].compute_seconds == Approx(2.5 * a_second).epsilon(1e-3));
  CHECK(cut.actors[1].communication_seconds == Approx(2.5 * a_second).epsilon(1e-3));
  CHECK(cut.outcome.actors[0].state != State::ended);
  CHECK(cut.outcome.actors[1].state != State::ended);
}

TEST_CASE("until: a date behind the end changes nothing", "[simcore][engine]") {
  const RunResult whole = run_until({computing_sender, waiting_receiver}, 0);
  const RunResult cut = run_until({computing_sender, waiting_receiver}, 1000);
  CHECK_FALSE(cut.was_cut);
  CHECK(cut.end == whole.end);
  CHECK(cut.actors[1].stopped == whole.actors[1].stopped);
}

TEST_CASE("until: what happens at the date itself happens", "[simcore][engine]") {
  const RunResult whole = run_until({computing_sender, waiting_receiver}, 0);
  const RunResult cut = run_until({computing_sender, waiting_receiver}, whole.end.seconds());
  CHECK_FALSE(cut.was_cut);
  CHECK(cut.end == whole.end);
}

TEST_CASE("until: a deadlock before the date is one", "[simcore][engine]") {
  const RunResult cut = run_until({[](ActorCalls& calls) { calls.receive(1); }, [](ActorCalls&) {}}, 5);
  CHECK_FALSE(cut.was_cut);
  CHECK(cut.outcome.actors[0].state == State::blocked);
}

TEST_CASE("until: a deadlock is one although bandwidths change for ever, and are observed", "[simcore][engine]") {
  const auto deadlock = [](ResourceObserver* observer) {
    Platform platform =
        platform_of("<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/><link id='l' bandwidth='1MBps' latency='1ms'/>"
                    "<route src='a' dst='b'><link_ctn id='l'/></route>"
                    "<trace id='t' periodicity='1'>\n0.2 5e5\n0.7 1e6\n</trace>"
                    "<trace_connect kind='BANDWIDTH' trace='t' element='l'/>");
    return run_until({[](ActorCalls& calls) { calls.receive(1); }, [](ActorCalls&) {}}, 5, observer,
                     std::move(platform));
  };
  ResourceObserver observer;
  for (const RunResult& result : {deadlock(nullptr), deadlock(&observer)}) {
    CHECK_FALSE(result.was_cut);
    CHECK(result.outcome.actors[0].state == State::blocked);
  }
}

namespace {

struct LastLoad final : ResourceObserver {
  void on_link_load(LinkId, double bytes_per_second, TimePoint from) override {
    load = bytes_per_second;
    date = from;
  }
  double load = 0;
  TimePoint date;
};

}  // namespace

// Its begin is no event, because nothing else uses the link.
TEST_CASE("until: a flow that has begun by the date has its load", "[simcore][engine]") {
  LastLoad last;
  Platform platform =
      platform_of("<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/><link id='l' bandwidth='1MBps' latency='1s'/>"
                  "<route src='a' dst='b'><link_ctn id='l'/></route>");
  const RunResult cut = run_until({[](ActorCalls& calls) { calls.send(1, std::string(50'000, 'x')); },
                                   [](ActorCalls& calls) { calls.receive(0); }},
                                  1.02, &last, std::move(platform));
  CHECK(cut.was_cut);
  CHECK(last.load == Approx(1e6));
  CHECK(last.date == TimePoint{} + Duration::from_seconds(1));
}

}  // namespace engine_until_test
