// SPDX-License-Identifier: MIT
//
// Graphs of tasks in files: what is accepted, what it becomes, and what is said about the rest.
#include "simcore/actor_api/workflow.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "simcore/actor_api.hpp"
#include "tests/support/actor_platform.hpp"
#include "tests/support/temporary_file.hpp"

using namespace rehearse;
using namespace rehearse::testing;

namespace {

std::string dot_error(const std::string& text) {
  PlainSimulation simulation;
  const TemporaryFile file(text);
  const auto workflow = sim::load_workflow_dot(simulation, file.path());
  return workflow ? "" : workflow.error().text.substr(file.path().size());
}

std::string json_error(const std::string& text) {
  PlainSimulation simulation;
  const TemporaryFile file(text);
  const auto workflow = sim::load_workflow_json(simulation, file.path());
  return workflow ? "" : workflow.error().text.substr(file.path().size());
}

}  // namespace

TEST_CASE("workflow: a DOT graph runs without actors, transfers between its tasks' hosts", "[simcore][actors]") {
  PlainSimulation simulation;
  const TemporaryFile graph("strict digraph \"G\" { // a graph\n node [size=\"1e9\"]; edge [size=1e6]\n"
                            "a; b [size=2000000000 color=\"red\"];\n"
                            "# comment\n a -> b /* one\n more */\n a -> c [size=-1]; }");
  auto workflow = sim::load_workflow_dot(simulation, graph.path());
  REQUIRE(workflow);
  CHECK(workflow.value().computations().size() == 5);  // with root and end
  CHECK(workflow.value().transfers().size() == 1);
  for (const sim::Exec& exec : workflow.value().computations())
    exec.set_host(simulation.host(exec.name() == "b" ? "beta" : "alpha"));
  for (const sim::Exec& exec : workflow.value().computations())
    if (exec.predecessors().empty()) exec.start();
  CHECK(simulation.run().end == Approx(1 + 1.001 + 2));
  CHECK(workflow.value().transfers()[0].name() == "a->b");
  CHECK(workflow.value().transfers()[0].finish_time() == Approx(2.001));
}

TEST_CASE("workflow: a mistake in a DOT file is reported with its line", "[simcore][actors]") {
  CHECK(dot_error("graph { a -- b }") == ":1: 'graph' instead of 'digraph'");
  CHECK(dot_error("digraph { a -- b }") == ":1: '--' in a digraph: '->' is expected");
  CHECK(dot_error("digraph {\n a [size=x] }") == ":2: size 'x' of node 'a': a number is expected");
  CHECK(dot_error("digraph {\n a [size=-4] }") == ":2: node 'a' has a negative size");
  CHECK(dot_error("digraph {\n subgraph s { a } }") == ":2: subgraphs are not supported");
  CHECK(dot_error("digraph {\n a") == ":2: the file ends inside the graph");
  CHECK(dot_error("digraph {\n a [label=\"b }") == ":2: a string without its closing quote");
  CHECK(dot_error("digraph { } x") == ":1: 'x' after the graph");
  CHECK(dot_error("digraph {\n s -> a\n a -> b -> c\n c -> a\n}") ==
        ":2: the dependencies of these tasks form a cycle: 'a' -> 'b' -> 'c' -> 'a'");
}

TEST_CASE("workflow: a WfCommons file names machines, amounts and parents", "[simcore][actors]") {
  PlainSimulation simulation;
  const TemporaryFile file(R"({"name": "w", "workflow": {"tasks": [
    {"name": "c1", "type": "compute", "runtimeInSeconds": 1e9, "machine": "alpha"},
    {"name": "t", "type": "transfer", "writtenBytes": 1000000, "parents": ["c1"]},
    {"name": "c2", "type": "compute", "runtimeInSeconds": 2e9, "machine": "beta", "parents": ["t"]}]}})");
  auto workflow = sim::load_workflow_json(simulation, file.path());
  REQUIRE(workflow);
  workflow.value().computations()[0].start();
  CHECK(simulation.run().end == Approx(1 + 1.001 + 2));
}

TEST_CASE("workflow: a mistake in a WfCommons file is reported with its task", "[simcore][actors]") {
  CHECK(json_error("{") != "");
  CHECK(json_error("{}") == ": workflow.tasks[] is expected");
  CHECK(json_error(R"({"workflow": {"tasks": [{}]}})") == ": workflow.tasks[0]: 'name' with a string is expected");
  CHECK(json_error(R"({"workflow": {"tasks": [{"name": "a"}]}})") ==
        ": task 'a': type ''; accepted: compute, transfer");
  CHECK(json_error(R"({"workflow": {"tasks": [{"name": "a", "type": "compute"}]}})") ==
        ": task 'a': 'runtimeInSeconds' with a number that is not negative is expected");
  CHECK(json_error(R"({"workflow": {"tasks": [
      {"name": "a", "type": "compute", "runtimeInSeconds": 1, "parents": ["b"]}]}})") ==
        ": task 'a': there is no parent \"b\"");
  CHECK(json_error(R"({"workflow": {"tasks": [
      {"name": "a", "type": "compute", "runtimeInSeconds": 1, "parents": ["b"]},
      {"name": "b", "type": "compute", "runtimeInSeconds": 1, "parents": ["a"]}]}})") ==
        ": task 'a': the dependencies of these tasks form a cycle: 'a' -> 'b' -> 'a'");
  CHECK(json_error(R"({"workflow": {"tasks": [
      {"name": "a", "type": "compute", "runtimeInSeconds": 1, "machine": "nowhere"}]}})") ==
        ": task 'a': the platform has no host 'nowhere'");
}
