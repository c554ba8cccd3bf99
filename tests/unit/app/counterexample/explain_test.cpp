// SPDX-License-Identifier: MIT
//
// Explaining a counter-example: the file as a value, and whether its program has changed since the check.
#include "app/explain.hpp"

#include <catch2/catch.hpp>

#include "tests/support/temporary_file.hpp"

namespace rehearse::app {
namespace {

Counterexample of_program(const std::string& path) {
  Counterexample result;
  result.program = path;
  result.ranks = 2;
  result.finding.id = finding_ids::deadlock_cycle;
  result.program_hash = hash_of_programs(result).value();
  return result;
}

}  // namespace

TEST_CASE("explain: a changed program is outdated, an unchanged one is not") {
  const testing::TemporaryFile program("one"), file("");
  const Counterexample fresh = of_program(program.path());
  REQUIRE(write_counterexample(file.path(), fresh));
  const auto report = explain(file.path());
  REQUIRE(report);
  CHECK_FALSE(report.value().is_outdated);
  CHECK(report.value().counterexample.finding.id == finding_ids::deadlock_cycle);
  Counterexample old = fresh;
  old.program_hash = "fnv1a:0123456789abcdef";
  REQUIRE(write_counterexample(file.path(), old));
  REQUIRE(explain(file.path()));
  CHECK(explain(file.path()).value().is_outdated);
}

TEST_CASE("explain: a missing program is not outdated, and its counter-example is still explained") {
  const testing::TemporaryFile program("one"), file("");
  Counterexample gone = of_program(program.path());
  gone.program = "/nowhere/ring";
  REQUIRE(write_counterexample(file.path(), gone));
  const auto report = explain(file.path());
  REQUIRE(report);
  CHECK_FALSE(report.value().is_outdated);
}

TEST_CASE("explain: a missing file is an error with its name") {
  const auto report = explain("/nowhere/counterexample.json");
  REQUIRE_FALSE(report);
  CHECK(report.error().text.find("/nowhere/counterexample.json") != std::string::npos);
}

}  // namespace rehearse::app
