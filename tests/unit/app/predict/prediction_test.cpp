// SPDX-License-Identifier: MIT
//
// Options of predictions, and executions without a cost.
#include "app/predict/prediction.hpp"

#include <catch2/catch.hpp>

namespace rehearse::app {
namespace {

RunResult run_with(FailureKind failure, std::uint64_t unused_decisions) {
  RunResult run;
  run.unused_decisions = unused_decisions;
  ActorOutcome& actor = run.outcome.actors.emplace_back();
  actor.state = ActorOutcome::State::failed;
  actor.failure = failure;
  return run;
}

}  // namespace

TEST_CASE("prediction: an execution that takes another way there is impossible, one that fails has failed") {
  using Without = mc::Price::Without;
  RunResult blocked;
  blocked.outcome.actors.emplace_back().state = ActorOutcome::State::blocked;
  CHECK(without_cost(blocked).without == Without::impossible);
  CHECK(without_cost(run_with(FailureKind::crash, 0)).without == Without::failed);
  CHECK(without_cost(run_with(FailureKind::crash, 1)).without == Without::impossible);
  CHECK(without_cost(run_with(FailureKind::abort, 1)).without == Without::failed);
  CHECK(without_cost(run_with(FailureKind::unsupported, 0)).without == Without::unknown);
  CHECK_FALSE(without_cost(run_with(FailureKind::crash, 0)).cost);
}

TEST_CASE("prediction: the machine decides which messages are buffered, the schedule which are taken") {
  MachineOptions on;
  const auto machine = make_machine(on, 2);
  REQUIRE(machine);
  const Schedule schedule = parse_schedule("0:r3<-1#5").value();
  const EngineOptions options = options_to_predict(*machine.value(), {}, schedule);
  CHECK(options.eager_bytes == machine.value()->protocol.eager_bytes);
  CHECK(options.forced == schedule);
  CHECK(options.collectives == machine.value()->collectives.get());
}

TEST_CASE("prediction: its identity differs if an input of the times differs") {
  const MachineOptions plain;
  const std::string identity = prediction_identity(plain, std::nullopt);
  CHECK(identity == prediction_identity(plain, std::nullopt));
  CHECK(identity != prediction_identity(plain, 3));
  MachineOptions other = plain;
  other.on = "cluster:4";
  CHECK(identity != prediction_identity(other, std::nullopt));
  other = plain;
  other.models.values["latency-factor"] = "2";
  CHECK(identity != prediction_identity(other, std::nullopt));
  other = plain;
  other.compute.what = "instructions";
  CHECK(identity != prediction_identity(other, std::nullopt));
}

TEST_CASE("prediction: a missing program is an error") {
  Job job;
  job.path = "/nowhere/ring";
  job.ranks = 2;
  const auto made = Prediction::make(job, {}, std::nullopt);
  REQUIRE_FALSE(made);
  CHECK(made.error().text.find("/nowhere/ring") != std::string::npos);
}

}  // namespace rehearse::app
