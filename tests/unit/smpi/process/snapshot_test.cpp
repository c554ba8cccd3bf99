// SPDX-License-Identifier: MIT
//
// Ranks of a loaded program, saved, restored and restarted; and many of them.
#include <algorithm>
#include <catch2/catch.hpp>

#include "smpi/process.hpp"

namespace snapshot_test {

using namespace rehearse;
using namespace rehearse::smpi;

namespace {

LaunchSpec spec_of(const std::string& name, std::uint32_t ranks) {
  LaunchSpec spec;
  spec.path = std::string(REHEARSE_PROCESS_PROGRAMS) + "/" + name;
  spec.ranks = ranks;
  spec.require_mpi = false;
  return spec;
}

std::unique_ptr<Program> load(const LaunchSpec& spec) {
  auto loaded = load_program(spec);
  if (!loaded) FAIL(loaded.error().text);
  return std::move(loaded.value());
}

bool finished(const Operation& operation) {
  return std::holds_alternative<End>(operation) || std::holds_alternative<Fail>(operation);
}

// What the rank says from here to its end.
std::string output_to_end(Program& program, ActorId rank) {
  std::string text;
  while (!finished(program.next(rank))) {
    if (const auto* log = std::get_if<Log>(&program.next(rank))) text += log->text;
    program.resume(rank, {});
  }
  return text;
}

}  // namespace

TEST_CASE("process: a restored rank repeats itself, from every one of its operations", "[smpi][process]") {
  auto program = load(spec_of("steps", 2));
  const ActorId rank{1};
  std::vector<std::unique_ptr<Snapshot>> snapshots;
  std::string text;
  std::vector<std::size_t> positions;
  while (!finished(program->next(rank))) {
    snapshots.push_back(program->save(rank));
    positions.push_back(text.size());
    REQUIRE(snapshots.back() != nullptr);
    if (const auto* log = std::get_if<Log>(&program->next(rank))) text += log->text;
    program->resume(rank, {});
  }
  REQUIRE(snapshots.size() == 21);
  for (std::size_t i : {20u, 0u, 10u, 10u, 3u, 15u, 0u, 7u}) {
    program->restore(rank, *snapshots[i]);
    CHECK(output_to_end(*program, rank) == text.substr(positions[i]));
  }
  program->restart(rank);
  CHECK(output_to_end(*program, rank) == text);
  program->restore(rank, *snapshots[12]);
  CHECK(output_to_end(*program, rank) == text.substr(positions[12]));
  CHECK(output_to_end(*program, ActorId{0}).ends_with(' '));
}

TEST_CASE("process: a crashed rank can be restored to a state before its crash", "[smpi][process]") {
  LaunchSpec spec = spec_of("deaths", 1);
  for (const char* how : {"n", "s", "t", "d"}) {
    spec.argv = {spec.path, how};
    auto program = load(spec);
    program->next(ActorId{0});
    const auto before = program->save(ActorId{0});
    std::string id;
    for (int time = 0; time < 3; ++time) {
      output_to_end(*program, ActorId{0});
      const auto* fail = std::get_if<Fail>(&program->next(ActorId{0}));
      REQUIRE(fail != nullptr);
      if (time > 0) CHECK(fail->id == id);
      id = fail->id;
      program->restore(ActorId{0}, *before);
    }
  }
}

TEST_CASE("process: a snapshot over the limit is refused", "[smpi][process]") {
  LaunchSpec spec = spec_of("trivial", 1);
  spec.snapshot_limit_bytes = 100;
  CHECK(load(spec)->save(ActorId{0}) == nullptr);
}

TEST_CASE("process: two programs can be loaded at the same time", "[smpi][process]") {
  auto one = load(spec_of("steps", 2));
  auto other = load(spec_of("steps", 2));
  one->next(ActorId{0});
  for (Program* program : {other.get(), one.get()}) {
    const std::string text = output_to_end(*program, ActorId{0});
    CHECK(std::count(text.begin(), text.end(), '\n') == 20);
  }
}

TEST_CASE("process: a thousand ranks start and end", "[smpi][process]") {
  auto program = load(spec_of("trivial", 1024));
  for (std::uint32_t i = 0; i < 1024; ++i) REQUIRE(std::holds_alternative<Sleep>(program->next(ActorId{i})));
  for (std::uint32_t i = 0; i < 1024; ++i) {
    program->resume(ActorId{i}, {});
    REQUIRE(std::holds_alternative<End>(program->next(ActorId{i})));
  }
}

}  // namespace snapshot_test
