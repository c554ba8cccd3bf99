// SPDX-License-Identifier: MIT
//
// Ranks that wait in MPI_Finalize for a stuck one are not reported as part of its deadlock.
#include <catch2/catch.hpp>

#include "properties/judge.hpp"

using namespace rehearse;

namespace {

PendingRequest in_finalize(std::uint32_t actor, std::vector<ActorId> missing) {
  PendingRequest pending;
  pending.kind = PendingRequest::Kind::collective;
  pending.actor = {actor};
  pending.name = "MPI_Finalize";
  pending.missing = std::move(missing);
  return pending;
}

ActorOutcome blocked_in(std::uint32_t request) {
  ActorOutcome actor;
  actor.state = ActorOutcome::State::blocked;
  actor.waits_for = {RequestId{request}};
  return actor;
}

const Describe nowhere = [](ActorId) { return CallDescription{}; };

}  // namespace

TEST_CASE("judge: a rank that waits for one in MPI_Finalize is an orphan", "[properties]") {
  Outcome outcome;
  outcome.actors = {blocked_in(0), blocked_in(0)};
  PendingRequest receive;
  receive.kind = PendingRequest::Kind::receive;
  receive.pattern.source = ActorId{1};
  outcome.pending = {receive, in_finalize(1, {ActorId{0}})};
  const std::vector<Finding> findings = properties::judge(outcome, nowhere);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].id == "deadlock.orphan");
  CHECK(findings[0].actors == std::vector<ActorId>{ActorId{0}});
  CHECK(findings[0].message.find("rank 1 has ended") != std::string::npos);
}

TEST_CASE("judge: ranks in MPI_Finalize that wait for one that ended without it are the finding", "[properties]") {
  Outcome outcome;
  outcome.actors = {ActorOutcome{}, blocked_in(0)};
  outcome.pending = {in_finalize(1, {ActorId{0}})};
  const std::vector<Finding> findings = properties::judge(outcome, nowhere);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].id == "deadlock.collective");
  CHECK(findings[0].actors == std::vector<ActorId>{ActorId{1}});
}
