// SPDX-License-Identifier: MIT
//
// Timing of graphs of tasks: computations and transfers that wait for each other, without any actor.
#include "simcore/actor_api/workflow.hpp"

#include <map>

#include "tests/support/temporary_file.hpp"
#include "tests/timing/scene.hpp"

using namespace rehearse;
using namespace rehearse::testing;
namespace this_actor = rehearse::sim::this_actor;

namespace {

sim::Workflow from_dot(Scene& scene, const std::string& text) {
  const TemporaryFile file(text);
  auto workflow = sim::load_workflow_dot(*scene, file.path());
  if (!workflow) FAIL(workflow.error().text);
  return std::move(workflow.value());
}

sim::Workflow from_json(Scene& scene, const std::string& text) {
  const TemporaryFile file(text);
  auto workflow = sim::load_workflow_json(*scene, file.path());
  if (!workflow) FAIL(workflow.error().text);
  return std::move(workflow.value());
}

// Transfers go by themselves from where the task before them is to where the one behind them is.
double run_all(Scene& scene, const sim::Workflow& workflow) {
  for (const auto& task : workflow.computations())
    if (task.predecessors().empty()) task.start();
  return scene.run();
}

// Starts and ends by name.
using Span = std::vector<double>;
std::map<std::string, Span> spans(const sim::Workflow& workflow) {
  std::map<std::string, Span> all;
  for (const auto& activity : workflow.activities)
    all[activity.name()] = {activity.start_time(), activity.finish_time()};
  return all;
}

constexpr const char* chain_of_eleven = R"(digraph G {
  end [size="10000000129"];
  0 [size="10000000129"];
  1 [size="10000000131"];
  2 [size="10000000121"];
  3 [size="10000000230"];
  4 [size="10000000004"];
  5 [size="10000000046"];
  6 [size="10000000091"];
  7 [size="10000000040"];
  8 [size="10000000250"];
  9 [size="10000000079"];
  0->1 [size="10001"];
  1->2 [size="10004"];
  2->3 [size="10001"];
  3->4;
  4->5 [size="10029"];
  5->6;
  6->7 [size="10004"];
  7->8 [size="10000"];
  8->9;
  7->end [size="10014000"];
  root->5 [size="10014000"];
})";

}  // namespace

TEST_CASE("timing 110: a task waits for both parents, which share a host: 2, 3 and 4 s", "[timing]") {
  Scene scene("seven_hosts");
  const auto fafard = scene->host("Fafard");
  const auto first = scene->exec_init(fafard.speed()), second = scene->exec_init(2 * fafard.speed());
  const auto child = scene->exec_init(fafard.speed());
  first.add_successor(child);
  second.add_successor(child);
  first.set_host(fafard).start();
  second.set_host(fafard).start();
  child.start();
  second.on_completion([&](const sim::Activity&) { child.set_host(fafard); });
  CHECK_THAT(scene.run(), Printed(4));
  CHECK_THAT(first.finish_time(), Printed(2));
  CHECK_THAT(second.finish_time(), Printed(3));
  CHECK_THAT(child.start_time(), Printed(3));
  CHECK_THAT(child.finish_time(), Printed(4));
}

TEST_CASE("timing 110: a task that is given a host at 10 s ends at 11 s", "[timing]") {
  Scene scene("seven_hosts");
  const auto task = scene->exec_init(scene->host("Fafard").speed());
  task.start();
  scene.actor("Fafard", [&] {
    this_actor::sleep_for(10);
    task.set_host(this_actor::host());
    task.wait();
    scene.note();
  });
  CHECK_THAT(scene.run(), Printed(11));
  CHECK_THAT(scene.dates(), AllPrinted({11}));
}

TEST_CASE("timing 112: a graph from a DOT file: tasks end at 50.026511, 98.928629, 151.329383 and 151.743605 s",
          "[timing]") {
  Scene scene("seven_hosts");
  const auto workflow = from_dot(scene, R"(digraph G {
    c1 [size="1e9"]; c2 [size="5e9"]; c3 [size="2e9"];
    root->c1 [size="2e8"]; root->c2 [size="1e8"]; c1->c3 [size="5e8"]; c2->c3; c3->end [size="2e8"];
  })");
  const auto tremblay = scene->host("Tremblay"), jupiter = scene->host("Jupiter");
  const std::map<std::string, sim::HostRef> hosts = {
      {"root", scene->host("Fafard")}, {"c1", tremblay}, {"c2", jupiter}, {"c3", jupiter}, {"end", jupiter}};
  for (const auto& task : workflow.computations()) task.set_host(hosts.at(task.name()));
  run_all(scene, workflow);
  auto when = spans(workflow);
  CHECK_THAT(when["root"], AllPrinted({0, 0}));
  CHECK_THAT(when["root->c2"], AllPrinted({0, 33.394394}));
  CHECK_THAT(when["root->c1"], AllPrinted({0, 39.832311}));
  CHECK_THAT(when["c1"], AllPrinted({39.832311, 50.026511}));
  CHECK_THAT(when["c2"], AllPrinted({33.394394, 98.928629}));
  CHECK_THAT(when["c1->c3"], AllPrinted({50.026511, 125.115689}));
  CHECK_THAT(when["c3"], AllPrinted({125.115689, 151.329383}));
  CHECK_THAT(when["c3->end"], AllPrinted({151.329383, 151.743605}));
  CHECK_THAT(when["end"], AllPrinted({151.743605, 151.743605}));
}

TEST_CASE("timing 113: a graph from a JSON file: tasks end at 10.194200, 65.534235 and 111.497072 s", "[timing]") {
  Scene scene("seven_hosts");
  const auto workflow = from_json(scene, R"({"name": "small", "workflow": {"tasks": [
    {"name": "c1", "type": "compute", "runtimeInSeconds": 1e9, "machine": "Tremblay", "parents": []},
    {"name": "t1", "type": "transfer", "writtenBytes": 5e8, "parents": ["c1"]},
    {"name": "c2", "type": "compute", "runtimeInSeconds": 5e9, "machine": "Jupiter", "parents": []},
    {"name": "c3", "type": "compute", "runtimeInSeconds": 2e9, "machine": "Jupiter", "parents": ["t1", "c2"]}]}})");
  run_all(scene, workflow);
  auto when = spans(workflow);
  CHECK_THAT(when["c1"], AllPrinted({0, 10.194200}));
  CHECK_THAT(when["c2"], AllPrinted({0, 65.534235}));
  CHECK_THAT(when["t1"], AllPrinted({10.194200, 85.283378}));
  CHECK_THAT(when["c3"], AllPrinted({85.283378, 111.497072}));
}

TEST_CASE("timing 113: the same graph put together by hand has the same dates", "[timing]") {
  Scene scene("seven_hosts");
  const auto tremblay = scene->host("Tremblay"), jupiter = scene->host("Jupiter");
  const auto c1 = scene->exec_init(1e9), c2 = scene->exec_init(5e9), c3 = scene->exec_init(2e9);
  const auto t1 = scene->comm_init(5e8);
  c1.add_successor(t1);
  t1.add_successor(c3);
  c2.add_successor(c3);
  c1.set_host(tremblay).start();
  c2.set_host(jupiter).start();
  c3.set_host(jupiter);
  t1.set_source(tremblay).set_destination(jupiter);
  scene.run();
  CHECK_THAT(c1.finish_time(), Printed(10.194200));
  CHECK_THAT(c2.finish_time(), Printed(65.534235));
  CHECK_THAT(t1.finish_time(), Printed(85.283378));
  CHECK_THAT(c3.finish_time(), Printed(111.497072));
}

TEST_CASE("timing 114: a chain of eleven tasks from a DOT file, each on a host of its own, ends at 110.047415 s",
          "[timing]") {
  Scene scene("backbone_cluster");
  const auto workflow = from_dot(scene, chain_of_eleven);
  // The root on the first host, the others on the next ones, the last one back on the first.
  std::map<std::string, sim::HostRef> hosts = {{"root", scene->host("node-0")}, {"end", scene->host("node-0")}};
  for (int i = 0; i < 10; ++i) hosts[std::to_string(i)] = scene->host("node-" + std::to_string(i + 1));
  for (const auto& task : workflow.computations()) task.set_host(hosts.at(task.name()));
  CHECK_THAT(run_all(scene, workflow), Printed(110.047415));
  auto when = spans(workflow);
  CHECK_THAT(when["0"], AllPrinted({0, 10}));
  CHECK_THAT(when["0->1"], AllPrinted({10, 10.007889}));
  CHECK_THAT(when["1"], AllPrinted({10.007889, 20.007889}));
  CHECK_THAT(when["2"], AllPrinted({20.015777, 30.015777}));
  CHECK_THAT(when["3"], AllPrinted({30.023666, 40.023666}));
  CHECK_THAT(when["4"], AllPrinted({40.023666, 50.023666}));
  CHECK_THAT(when["5"], AllPrinted({50.031555, 60.031555}));
  CHECK_THAT(when["6"], AllPrinted({60.031555, 70.031555}));
  CHECK_THAT(when["7"], AllPrinted({70.039443, 80.039443}));
  CHECK_THAT(when["7->8"], AllPrinted({80.039443, 80.047414}));
  CHECK_THAT(when["7->end"], AllPrinted({80.039443, 80.129922}));
  CHECK_THAT(when["root->5"], AllPrinted({0, 0.090396}));
  CHECK_THAT(when["8"], AllPrinted({80.047414, 90.047415}));
  CHECK_THAT(when["9"], AllPrinted({90.047415, 100.047415}));
  CHECK_THAT(when["end"], AllPrinted({100.047415, 110.047415}));
}

TEST_CASE("timing 115: a computation, a transfer and a computation, fired twice: 10.194200 ... 37.928311 s",
          "[timing]") {
  Scene scene("seven_hosts");
  const auto tremblay = scene->host("Tremblay"), jupiter = scene->host("Jupiter");
  std::vector<sim::Exec> before, after;
  std::vector<sim::Comm> between;
  for (int i = 0; i < 2; ++i) {
    before.push_back(scene->exec_init(1e9));
    between.push_back(scene->comm_init(1e7));
    after.push_back(scene->exec_init(1e9));
    before[i].add_successor(between[i]);
    between[i].add_successor(after[i]);
    before[i].set_host(tremblay);
    between[i].set_source(tremblay).set_destination(jupiter);
    after[i].set_host(jupiter);
  }
  before[0].add_successor(before[1]);
  between[0].add_successor(between[1]);
  after[0].add_successor(after[1]);
  before[0].start();
  CHECK_THAT(scene.run(), Printed(37.928311));
  CHECK_THAT(before[0].finish_time(), Printed(10.194200));
  CHECK_THAT(between[0].finish_time(), Printed(11.714617));
  CHECK_THAT(after[0].finish_time(), Printed(24.821464));
}
