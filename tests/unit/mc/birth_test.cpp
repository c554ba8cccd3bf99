// SPDX-License-Identifier: MIT
//
// Actors that are born while the program runs, under both drivers.
#include "simcore/birth.hpp"

#include <catch2/catch.hpp>
#include <functional>
#include <string>
#include <vector>

#include "mc/explore.hpp"
#include "properties/judge.hpp"
#include "simcore/actor.hpp"
#include "simcore/engine.hpp"
#include "simcore/fiber_program.hpp"
#include "simcore/platform.hpp"
#include "tests/support/actor_calls.hpp"
#include "tests/support/temporary_file.hpp"

namespace birth_test {

using namespace rehearse;
using namespace rehearse::mc;

namespace {

void bear(std::uint32_t child) {
  Send send;
  send.request = {0};
  send.context = birth_context;
  send.destination = {child};
  send.mode = SendMode::buffered;
  send.blocking = true;
  ask(send);
}

// Waits for its birth, then `then`.
std::function<void()> born(std::optional<ActorId> parent, std::function<void()> then) {
  return [=] {
    ask(birth_receive(parent));
    then();
  };
}

void nothing() {}

void wait_for_nobody() {
  Post post;
  post.request = {1};
  post.pattern = {ContextId{100}, std::nullopt, std::nullopt};
  post.blocking = true;
  ask(post);
}

Verdict explored(std::vector<std::function<void()>> bodies, Reduction reduction) {
  FiberProgram program(std::move(bodies));
  ExploreOptions options;
  options.strategy.reduction = reduction;
  return explore(program, options, properties::judge);
}

RunResult timed(std::vector<std::function<void()>> bodies) {
  const testing::TemporaryFile file("<platform version='4.1'><zone id='z' routing='Full'><host id='h' speed='1Gf'/>"
                                    "<link id='l' bandwidth='1MBps' latency='1ms'/><route src='h' dst='h'><link_ctn "
                                    "id='l'/></route></zone></platform>");
  const Platform platform = std::move(make_platform(file.path()).value());
  FiberProgram program(std::move(bodies));
  Engine engine(program, platform, std::move(make_cost_model({.network = "raw"}, platform).value()), {});
  return std::move(engine.run().value());
}

}  // namespace

TEST_CASE("birth: an actor that is never born is no deadlock", "[mc][engine][birth]") {
  for (const Reduction reduction : {Reduction::matching, Reduction::odpor, Reduction::none}) {
    const Verdict verdict = explored({nothing, born(ActorId{0}, wait_for_nobody)}, reduction);
    CHECK(verdict.findings.empty());
    CHECK(verdict.exhaustive);
  }
  const RunResult run = timed({nothing, born(std::nullopt, wait_for_nobody)});
  CHECK(run.actors.size() == 1);
  CHECK(run.outcome.actors.size() == 1);
  CHECK(run.outcome.pending.empty());
}

TEST_CASE("birth: an actor that is born counts as any other", "[mc][engine][birth]") {
  const std::vector<std::function<void()>> good = {[] { bear(1); }, born(ActorId{0}, nothing)};
  const std::vector<std::function<void()>> bad = {[] { bear(1); }, born(ActorId{0}, wait_for_nobody)};
  for (const Reduction reduction : {Reduction::matching, Reduction::odpor, Reduction::none}) {
    CHECK(explored(good, reduction).findings.empty());
    const Verdict verdict = explored(bad, reduction);
    REQUIRE(verdict.findings.size() == 1);
    CHECK(verdict.findings[0].id.text().starts_with("deadlock."));
  }
  CHECK(timed(good).actors.size() == 2);
  const RunResult run = timed(bad);
  REQUIRE(run.outcome.actors.size() == 2);
  CHECK(run.outcome.actors[1].state == ActorOutcome::State::blocked);
  CHECK(run.actors[1].communication_seconds == 0);  // the time before its birth does not count
}

TEST_CASE("birth: proofs and merged states name what they do not support", "[mc][birth]") {
  for (const Reduction reduction : {Reduction::flow, Reduction::footprints, Reduction::merged}) {
    const Verdict verdict = explored({nothing, born(ActorId{0}, wait_for_nobody)}, reduction);
    CHECK(verdict.findings.empty());
  }
}

}  // namespace birth_test
