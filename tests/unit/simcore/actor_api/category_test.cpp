// SPDX-License-Identifier: MIT
//
// The categories of computations and messages of actors, as an observer of uses sees them.
#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "simcore/actor_api.hpp"
#include "simcore/use_recorder.hpp"

namespace category_test {

using namespace rehearse;

namespace {

// Flops and bytes by category; links count each message once for each link.
struct Work {
  std::map<std::string, double> flops, bytes;
};

template <class Program>
Work work_of(const Program& program) {
  auto platform = make_platform("cluster:3");
  REQUIRE(platform);
  sim::Simulation simulation(platform.value());
  UseRecorder recorder(platform.value());
  REQUIRE(simulation.costs().observe_uses(recorder));
  CategoryNames names;
  for (const char* name : {"red", "blue"}) names.number(name);
  // The numbers of names are those of their first use.
  simulation.add_actor("first", simulation.host(HostId{2}), [] {}, {.category = "red"});
  simulation.add_actor("second", simulation.host(HostId{2}), [] {}, {.category = "blue"});
  program(simulation);
  const auto report = simulation.run();
  CHECK(report.text().empty());
  const TimePoint end = TimePoint{} + Duration::from_seconds(report.end);
  const UseTable table = recorder.finish(end, names);
  Work work;
  for (const UseRow& row : table.hosts) work.flops[table.categories[row.category]] += row.total();
  for (const UseRow& row : table.links) work.bytes[table.categories[row.category]] += row.total();
  return work;
}

}  // namespace

TEST_CASE("categories: an actor's work has the category that it has set, or that of its options", "[simcore][use]") {
  const Work work = work_of([](sim::Simulation& simulation) {
    simulation.add_actor("a", simulation.host(HostId{0}),
                         [] {
                           sim::this_actor::execute(1e9);
                           sim::this_actor::set_category("blue");
                           sim::this_actor::execute(2e9);
                           sim::this_actor::set_category("");
                           sim::this_actor::execute(4e9);
                           sim::this_actor::exec_init(8e9).set_category("blue").start().wait();
                         },
                         {.category = "red"});
  });
  CHECK(work.flops.at("red") == Approx(1e9));
  CHECK(work.flops.at("blue") == Approx(10e9));
  CHECK(work.flops.at("") == Approx(4e9));
}

TEST_CASE("categories: a message has that of its sender, whoever comes first", "[simcore][use]") {
  const bool is_receiver_first = GENERATE(false, true);
  const Work work = work_of([&](sim::Simulation& simulation) {
    sim::Mailbox& box = simulation.mailbox("box");
    simulation.add_actor("sender", simulation.host(HostId{0}),
                         [&, is_receiver_first] {
                           if (is_receiver_first) sim::this_actor::sleep_for(1);
                           box.put(1, 1e6);
                         },
                         {.category = "red"});
    simulation.add_actor("receiver", simulation.host(HostId{1}),
                         [&, is_receiver_first] {
                           if (!is_receiver_first) sim::this_actor::sleep_for(1);
                           box.get<int>();
                         },
                         {.category = "blue"});
  });
  CHECK(work.bytes.at("red") > 2e6);  // two links
  CHECK(work.bytes.size() == 1);
}

TEST_CASE("categories: an actor has that of the actor that adds it, also when it restarts", "[simcore][use]") {
  const Work work = work_of([](sim::Simulation& simulation) {
    simulation.add_actor("parent", simulation.host(HostId{0}),
                         [&simulation] {
                           auto child = simulation.add_actor("child", simulation.host(HostId{1}),
                                                             [] { sim::this_actor::execute(1e9); });
                           simulation.add_actor("other", simulation.host(HostId{2}),
                                                [] { sim::this_actor::execute(2e9); }, {.category = "blue"});
                           sim::this_actor::set_category("blue");
                           child.restart();
                         },
                         {.category = "red"});
  });
  CHECK(work.flops.at("red") == Approx(1e9));
  CHECK(work.flops.at("blue") == Approx(2e9));
}

TEST_CASE("categories: a started activity keeps its own", "[simcore][use]") {
  const Work work = work_of([](sim::Simulation& simulation) {
    simulation.add_actor("a", simulation.host(HostId{0}),
                         [] {
                           const sim::Exec exec = sim::this_actor::exec_async(1e9);
                           CHECK_THROWS_AS(exec.set_category("blue"), sim::BadUse);
                           exec.wait();
                         },
                         {.category = "red"});
  });
  CHECK(work.flops.at("red") == Approx(1e9));
  CHECK(work.flops.size() == 1);
}

}  // namespace category_test
