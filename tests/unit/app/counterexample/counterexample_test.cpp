// SPDX-License-Identifier: MIT
//
// Counter-examples: a written file reads back, and a wrong one is refused with the reason.
#include "app/counterexample.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>

#include "app/finding_json.hpp"
#include "tests/support/temporary_file.hpp"

namespace rehearse::app {
namespace {

Counterexample example() {
  Counterexample result;
  result.program = "/somewhere/ring";
  result.program_hash = "fnv1a:0123456789abcdef";
  result.arguments = {"-x", "two words"};
  result.ranks = 3;
  result.policy = {0, true};
  result.finding.id = "deadlock.cycle";
  result.finding.message = "ranks 0 and 2 wait for each other";
  result.finding.policies = {{0, true}};
  result.finding.actors = {{0}, {2}};
  result.finding.locations = {{{0}, "MPI_Recv(...)", "ring.c", 41, "main", "waits for rank 2"}};
  result.finding.witness = parse_witness("0:r3<-2#5").value();
  result.folder = "/somewhere";
  result.polls = 2;
  const mc::CallSite receive{{0}, "MPI_Recv", "main", "ring.c", 41, 2}, send{{2}, "MPI_Send", "work", "ring.c", 60, 1};
  mc::Decision decision{receive, {{receive, send, true}}, {}, false};
  Explanation& explanation = result.explanation.emplace();
  mc::Explanation& cause = explanation.cause;
  cause.decisions = {decision};
  cause.decisions_before = 3;
  cause.is_fewest = true;
  mc::Decision other = decision;
  other.matches[0].message.actor = {1};
  other.answer = mc::DecidedAnswer{true, {1}, send};
  cause.critical = {decision, other};
  cause.passing = parse_schedule("0:r3<-1#0").value();
  cause.differences = {other};
  cause.executions = 17;
  cause.involved = {{0}, {2}};
  explanation.story = {"rank 2: MPI_Send at ring.c:60 to rank 0"};
  cause.switches = 1;
  explanation.waits = {"rank 0 --> rank 2"};
  explanation.replayed_on = "cluster:3";
  return result;
}

std::string content_of(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("counterexample: a written file reads back", "[cli]") {
  const testing::TemporaryFile file("");
  REQUIRE(write_counterexample(file.path(), example()));
  auto read = read_counterexample(file.path());
  REQUIRE(read);
  const testing::TemporaryFile again("");
  REQUIRE(write_counterexample(again.path(), read.value()));
  CHECK(content_of(file.path()) == content_of(again.path()));
  CHECK(read.value().arguments == example().arguments);
  CHECK(read.value().policy == example().policy);
  CHECK(read.value().finding.locations[0].line == 41);
}

TEST_CASE("counterexample: another file is refused with its name and the reason", "[cli]") {
  struct Case {
    std::string content, said;
  };
  const Case wrong = GENERATE(Case{"not json", "not a counter-example"}, Case{"{}", "no key 'rehearse_counterexample'"},
                              Case{"[1]", "no key"},
                              Case{R"({"rehearse_counterexample": 99})", "format 99; accepted: 1 and 2"},
                              Case{R"({"rehearse_counterexample": 1})", "program"});
  const testing::TemporaryFile file(wrong.content);
  const auto read = read_counterexample(file.path());
  REQUIRE_FALSE(read);
  CAPTURE(read.error().text);
  CHECK(read.error().text.starts_with(file.path() + ": "));
  CHECK(read.error().text.find(wrong.said) != std::string::npos);
}

TEST_CASE("counterexample: a key of the wrong kind is an error, not a crash", "[cli]") {
  const testing::TemporaryFile file("");
  REQUIRE(write_counterexample(file.path(), example()));
  const Json whole = parse_json(content_of(file.path())).value();
  for (const auto& item : whole.members()) {
    Json broken = whole;
    broken[item.key] = Json::object();
    std::ofstream(file.path()) << broken.dump();
    CAPTURE(item.key);
    if (item.key != "rehearse") CHECK_FALSE(read_counterexample(file.path()));  // the version is for people
  }
}

TEST_CASE("counterexample: an unknown policy is an error with the accepted ones", "[cli]") {
  Json json = to_json(example());
  json["finding"]["policy"] = Json::array({"zero", "some"});
  const auto read = counterexample_from_json("file", json);
  REQUIRE_FALSE(read);
  CHECK(read.error().text ==
        "file: not a finding: policy 'some'; accepted: infinite, zero, eager:BYTES, mixed, or one with +synchronising");
}

TEST_CASE("counterexample: a missing file is an error", "[cli]") {
  const auto read = read_counterexample("/nowhere/at/all.json");
  REQUIRE_FALSE(read);
  CHECK(read.error().text.find("No such file") != std::string::npos);
}

TEST_CASE("counterexample: the hash of a program is that of its content", "[cli]") {
  const testing::TemporaryFile empty(""), letter("a");
  CHECK(hash_of_file(empty.path()).value() == "fnv1a:cbf29ce484222325");   // the published offset basis
  CHECK(hash_of_file(letter.path()).value() == "fnv1a:af63dc4c8601ec8c");  // and test vector
}

}  // namespace rehearse::app
