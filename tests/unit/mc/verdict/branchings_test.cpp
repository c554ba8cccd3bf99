// SPDX-License-Identifier: MIT
//
// Each execution but the first counts for the place whose answer distinguishes it from earlier ones.
#include "mc/verdict/branchings.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>

#include "mc/records/records.hpp"
#include "tests/support/litmus.hpp"
#include "tests/support/verdicts.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::verdict;
using tests::make_litmus;

namespace {

constexpr std::uint32_t post_kind = 1, probe_kind = 3;  // indices of Operation
static_assert(std::is_same_v<std::variant_alternative_t<post_kind, Operation>, Post>);
static_assert(std::is_same_v<std::variant_alternative_t<probe_kind, Operation>, Probe>);

Verdict explored(const std::string& text, ExploreOptions options = {}) {
  const std::unique_ptr<Program> program = make_litmus(text, true);
  options.bounds.all_findings = true;
  return explore(*program, options, [](const Outcome&, const Describe&) { return std::vector<Finding>(); });
}

}  // namespace

TEST_CASE("branchings: each execution but the first is counted at one place", "[mc]") {
  const Verdict verdict = explored(tests::fan_in(4));
  REQUIRE(verdict.executions == 24);
  REQUIRE(verdict.branchings.size() == 1);  // one receive, in a loop
  CHECK(verdict.branchings[0].executions == 23);
  CHECK(verdict.branched == 23);
  CHECK(verdict.branchings[0].operation == post_kind);
  CHECK(verdict.branchings[0].of_any_source);
}

TEST_CASE("branchings: places are reported in the order of their executions", "[mc]") {
  const Verdict verdict = explored("0: iprobe 1 5 ; recv * 0 ; recv * 0 ; recv * 0\n1: send 0 0 ; send 0 5\n"
                                   "2: send 0 0\n3: send 0 0\n");
  REQUIRE(verdict.executions == 12);
  REQUIRE(verdict.branchings.size() == 2);
  CHECK(verdict.branchings[0].operation == post_kind);
  CHECK(verdict.branchings[0].executions == 10);
  CHECK(verdict.branchings[1].operation == probe_kind);
  CHECK_FALSE(verdict.branchings[1].of_any_source);
  CHECK(verdict.branchings[1].executions == 1);
}

TEST_CASE("branchings: a program without choices has none", "[mc]") {
  const Verdict verdict = explored("0: send 1 0\n1: recv 0 0\n");
  CHECK(verdict.branchings.empty());
  CHECK(verdict.branched == 0);
}

TEST_CASE("branchings: the counts up to a bound do not depend on the number of processes", "[mc]") {
  ExploreOptions options;
  options.semantics.policies = {Policy{}, Policy{0, false}};
  options.bounds.max_executions = 50;
  const std::string text = tests::fan_in(5, tests::second_round);
  const std::string one = tests::text_of(explored(text, options));
  options.strategy.alone_seconds = options.strategy.undivided_seconds = 0;
  for (const std::uint32_t jobs : {2, 3}) {
    options.strategy.jobs = jobs;
    CHECK(tests::text_of(explored(text, options)) == one);
  }
  CHECK(one.find("branching") != std::string::npos);
}

TEST_CASE("branchings: they can be saved and loaded", "[mc]") {
  Branchings some, again;
  some.add({.site = 3, .operation = 1, .of_any_source = true, .executions = 4});
  some.add({.site = 5, .operation = 2, .of_any_source = false, .executions = 9});
  records::Writer writer;
  some.save(writer);
  records::Reader reader(writer.bytes());
  again.load(reader);
  CHECK(reader.is_good());
  CHECK(reader.at_end());
  again.add({.site = 3, .operation = 1, .of_any_source = true, .executions = 6});
  CHECK(again.all() == 19);
  REQUIRE(again.most().size() == 2);
  CHECK(again.most()[0].site == 3);
  CHECK(again.most()[0].executions == 10);
}
