// SPDX-License-Identifier: MIT
//
// The identity of findings, policies as options of the engine, and errors before a program runs.
#include "app/replay.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/support/temporary_file.hpp"

namespace rehearse::app {
namespace {

Finding deadlock_at(int line) {
  Finding finding;
  finding.id = finding_ids::deadlock_cycle;
  finding.actors = {{0}, {1}};
  finding.locations = {{{0}, "f(1)", "a.c", line, "main", "waits"}, {{1}, "f(0)", "a.c", line + 1, "main", "waits"}};
  return finding;
}

}  // namespace

TEST_CASE("replay: findings are the same if check, ranks and places are, with any words and order") {
  const Finding one = deadlock_at(3);
  Finding other = one;
  other.message = "in other words";
  other.locations[0].what = "has waited";
  std::swap(other.actors[0], other.actors[1]);
  std::swap(other.locations[0], other.locations[1]);
  CHECK(identity_of(one) == identity_of(other));
  CHECK(identity_of(one) != identity_of(deadlock_at(4)));
  other.id = "deadlock.actors";
  CHECK(identity_of(one) != identity_of(other));
}

TEST_CASE("replay: the late rank, and the place of a rank that has ended, make no other finding") {
  Finding one = deadlock_at(3), other = deadlock_at(9);
  one.id = other.id = finding_ids::crash_exit_status;
  CHECK(identity_of(one) == identity_of(other));
  other.actors = {{0}};
  CHECK(identity_of(one) != identity_of(other));
  one.id = other.id = finding_ids::time_bound;
  CHECK(identity_of(one) == identity_of(other));
}

TEST_CASE("replay: the engine buffers by the policy, and takes the decisions of the schedule") {
  const Schedule schedule = parse_schedule("0:r3<-2#5").value();
  const EngineOptions zero = engine_options({0, true}, schedule, nullptr);
  CHECK(zero.eager_bytes == 0);
  CHECK(zero.buffer_bytes == 0);
  CHECK(zero.synchronising_collectives);
  CHECK(zero.forced == schedule);
  CHECK(zero.application_cost == ApplicationCost::none);
  const EngineOptions some = engine_options({4096, false}, {}, nullptr);
  CHECK(some.eager_bytes == 4096);
  CHECK(some.buffer_bytes == 4096);
  CHECK_FALSE(some.synchronising_collectives);
}

TEST_CASE("replay: each state of a rank at the end has its own name") {
  CHECK(name_of(ActorOutcome::State::ended) == "ended");
  CHECK(name_of(ActorOutcome::State::blocked) == "blocked");
  CHECK(name_of(ActorOutcome::State::failed) == "failed");
}

TEST_CASE("replay: a missing program is an error, and the hook for a replay is not called") {
  ReplayRequest request;
  request.counterexample.program = "/nowhere/ring";
  request.counterexample.ranks = 2;
  bool is_notified = false;
  const auto done = replay(request, {nullptr, [&](const smpi::LoadedProgram&) { is_notified = true; }});
  REQUIRE_FALSE(done);
  CHECK(done.error().text.find("/nowhere/ring") != std::string::npos);
  CHECK_FALSE(is_notified);
}

TEST_CASE("replay: a machine that cannot be made is an error, before the program is loaded") {
  ReplayRequest request;
  request.counterexample.program = "/nowhere/ring";
  request.counterexample.ranks = 2;
  request.machine.collectives = "none such";
  const auto done = replay(request);
  REQUIRE_FALSE(done);
  CHECK(done.error().text.starts_with("--collective-algorithms: "));
}

TEST_CASE("replay: a changed program without explained decisions must be checked again") {
  const testing::TemporaryFile program("one"), file("");
  Counterexample of;
  of.program = program.path();
  of.ranks = 2;
  of.finding = deadlock_at(3);
  of.program_hash = hash_of_programs(of).value();
  REQUIRE(write_counterexample(file.path(), of));
  const auto same = read_to_replay(file.path(), 1);
  REQUIRE(same);
  CHECK(same.value().changed.empty());
  of.program_hash = "fnv1a:0123456789abcdef";
  REQUIRE(write_counterexample(file.path(), of));
  const auto changed = read_to_replay(file.path(), 1);
  REQUIRE_FALSE(changed);
  CHECK(changed.error().text.ends_with("; check it again"));
  of.program = "/nowhere/ring";
  REQUIRE(write_counterexample(file.path(), of));
  const auto gone = read_to_replay(file.path(), 1);
  REQUIRE_FALSE(gone);
  CHECK(gone.error().text.find("the program of this counter-example") != std::string::npos);
}

TEST_CASE("replay: a counter-example is from elsewhere if its folder is known and differs") {
  Counterexample of;
  CHECK_FALSE(is_elsewhere(of));
  of.folder = std::filesystem::current_path();
  CHECK_FALSE(is_elsewhere(of));
  of.folder = "/proc";
  CHECK(is_elsewhere(of));
}

}  // namespace rehearse::app
