// SPDX-License-Identifier: MIT
//
// A graph of tasks on hosts of different speeds. A planner gives each task to the host on which it would end first. The
// simulation computes how long the plan takes when the transfers share the network.
//
// Prints:
//   host of 1 Gflop/s: 4 tasks
//   host of 2 Gflop/s: 7 tasks
//   host of 4 Gflop/s: 14 tasks
//   planned: 49.750 s, simulated: 51.807 s
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <vector>

#include "simcore/actor_api.hpp"
#include "simcore/platform_builder.hpp"

namespace sim = rehearse::sim;

namespace {

struct Input {
  std::size_t task;
  double bytes;
};
struct Task {
  std::string name;
  double flops;
  std::vector<Input> inputs;
};

// Splits a source into twelve parts, compares pairs of parts, and joins all comparisons.
std::vector<Task> mosaic() {
  constexpr std::size_t parts = 12;
  std::vector<Task> tasks = {{"split", 2e9, {}}};
  for (std::size_t i = 0; i < parts; ++i) tasks.push_back({"part", 20e9, {{0, 20e6}}});
  Task join{"join", 5e9, {}};
  for (std::size_t i = 0; i + 1 < parts; ++i) {
    tasks.push_back({"compare", 8e9, {{1 + i, 60e6}, {2 + i, 60e6}}});
    join.inputs.push_back({tasks.size() - 1, 1e6});
  }
  tasks.push_back(join);
  return tasks;
}

// The host of each task, and the end of the last task that the planner expects, with transfers at full bandwidth.
std::pair<std::vector<std::size_t>, double> plan(const std::vector<Task>& tasks,
                                                 const std::vector<sim::HostRef>& hosts) {
  std::vector<double> free_at(hosts.size(), 0), end(tasks.size());
  std::vector<std::size_t> place(tasks.size());
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    end[t] = 1e300;
    for (std::size_t h = 0; h < hosts.size(); ++h) {
      double begin = free_at[h];
      for (const Input& input : tasks[t].inputs)
        begin = std::max(begin, end[input.task] + (place[input.task] == h ? 0 : input.bytes / 125e6));
      const double ends = begin + tasks[t].flops / hosts[h].speed();
      if (ends < end[t]) {
        end[t] = ends;
        place[t] = h;
      }
    }
    free_at[place[t]] = end[t];
  }
  return {place, end.back()};
}

rehearse::Result<rehearse::Platform> three_hosts() {
  rehearse::PlatformBuilder builder;
  const auto star = builder.add_zone(builder.world(), "site", rehearse::ZoneRouting::star);
  for (const double speed : {1e9, 2e9, 4e9}) {
    const std::string name = "host of " + std::to_string(static_cast<int>(speed / 1e9)) + " Gflop/s";
    const auto host = builder.add_host(star, {.name = name, .speeds = {speed}});
    const auto wire = builder.add_link({"wire of " + name, 125e6, 50e-6, rehearse::LinkPolicy::split_duplex});
    builder.set_leg(star, host, {.up = {wire.up}, .down = {wire.down}});
  }
  return builder.finish("three hosts");
}

}  // namespace

int main() {
  auto platform = three_hosts();
  if (!platform) {
    std::cerr << platform.error().text << "\n";
    return 2;
  }
  sim::Simulation simulation(platform.value());
  const auto hosts = simulation.hosts();
  const auto tasks = mosaic();
  const auto [place, expected] = plan(tasks, hosts);

  std::vector<sim::Exec> computations;
  std::vector<sim::Exec> last(hosts.size());  // of each host: a host runs one task at a time
  std::vector<int> count(hosts.size(), 0);
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const auto computation = simulation.exec_init(tasks[t].flops);
    computation.set_host(hosts[place[t]]);
    for (const Input& input : tasks[t].inputs) {
      const auto transfer = simulation.comm_init(input.bytes);
      computations[input.task].add_successor(transfer);  // otherwise it would start when both ends are known
      transfer.set_source(hosts[place[input.task]]).set_destination(hosts[place[t]]);
      transfer.add_successor(computation);
    }
    if (last[place[t]]) last[place[t]].add_successor(computation);
    last[place[t]] = computation;
    ++count[place[t]];
    computations.push_back(computation);
  }
  computations.front().start();
  const auto report = simulation.run();
  std::cout << report.text() << std::fixed << std::setprecision(3);
  for (std::size_t h = 0; h < hosts.size(); ++h) std::cout << hosts[h].name() << ": " << count[h] << " tasks\n";
  std::cout << "planned: " << expected << " s, simulated: " << report.end << " s\n";
}
