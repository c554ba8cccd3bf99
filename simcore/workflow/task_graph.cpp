// SPDX-License-Identifier: MIT
//
// Makes activities with dependencies of tasks and edges.
#include "simcore/workflow/task_graph.hpp"

#include <algorithm>

#include "simcore/actor_api/simulation.hpp"
#include "simcore/kernel/kernel.hpp"

namespace rehearse::sim {
namespace {

using Index = std::uint32_t;

// The index of the task of that name. If there is none, adds a task without work.
Index find_or_add(TaskGraph& graph, const std::string& name) {
  const auto has_name = [&](const auto& task) { return task.name == name; };
  const auto found = std::find_if(graph.tasks.begin(), graph.tasks.end(), has_name);
  const auto index = static_cast<Index>(found - graph.tasks.begin());
  if (found == graph.tasks.end()) graph.tasks.push_back({name});
  return index;
}

struct Neighbours {
  explicit Neighbours(const TaskGraph& graph) : after(graph.tasks.size()), before(graph.tasks.size(), 0) {
    for (const auto& edge : graph.edges) {
      after[edge.before].push_back(edge.after);
      ++before[edge.after];
    }
  }
  std::vector<std::vector<Index>> after;
  std::vector<Index> before;  // number of predecessors left
};

// The tasks of a cycle; empty if the graph has no cycle.
std::vector<Index> find_cycle(const TaskGraph& graph) {
  Neighbours neighbours(graph);
  std::vector<Index> ready;
  for (Index i = 0; i < graph.tasks.size(); ++i)
    if (neighbours.before[i] == 0) ready.push_back(i);
  std::size_t ordered = 0;
  while (!ready.empty()) {
    const Index task = ready.back();
    ready.pop_back();
    ++ordered;
    for (const Index next : neighbours.after[task])
      if (--neighbours.before[next] == 0) ready.push_back(next);
  }
  if (ordered == graph.tasks.size()) return {};
  // Each remaining task has a remaining predecessor, so following predecessors leads into a cycle.
  std::vector<Index> previous(graph.tasks.size());
  for (const auto& edge : graph.edges)
    if (neighbours.before[edge.before] > 0) previous[edge.after] = edge.before;
  Index at = 0;
  while (neighbours.before[at] == 0) ++at;
  for (std::size_t i = 0; i < graph.tasks.size(); ++i) at = previous[at];
  std::vector<Index> cycle{at};
  for (Index i = previous[at]; i != at; i = previous[i]) cycle.push_back(i);
  std::reverse(cycle.begin(), cycle.end());
  std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
  return cycle;
}

Error cycle_error(const TaskGraph& graph, const std::vector<Index>& cycle) {
  std::string names;
  for (const Index task : cycle) names += "'" + graph.tasks[task].name + "' -> ";
  const auto& first = graph.tasks[cycle.front()];
  return Error{first.place + ": the dependencies of these tasks form a cycle: " + names + "'" + first.name + "'"};
}

}  // namespace

std::vector<Exec> Workflow::computations() const {
  std::vector<Exec> result;
  for (const Activity& activity : activities)
    if (activity.record()->kind == kernel::ActivityKind::exec) result.emplace_back(activity.record());
  return result;
}

std::vector<Comm> Workflow::transfers() const {
  std::vector<Comm> result;
  for (const Activity& activity : activities)
    if (activity.record()->kind == kernel::ActivityKind::comm) result.emplace_back(activity.record());
  return result;
}

void add_root_and_end(TaskGraph& graph) {
  const Neighbours neighbours(graph);
  const auto count = static_cast<Index>(graph.tasks.size());
  const Index root = find_or_add(graph, "root"), end = find_or_add(graph, "end");
  const bool is_first = root >= count || neighbours.before[root] == 0;
  const bool is_last = end >= count || neighbours.after[end].empty();
  for (Index i = 0; i < count; ++i) {
    if (is_first && i != root && neighbours.before[i] == 0) graph.edges.push_back({root, i});
    if (is_last && i != end && neighbours.after[i].empty()) graph.edges.push_back({i, end});
  }
}

Result<Workflow> build_workflow(Simulation& simulation, const TaskGraph& graph) {
  const auto cycle = find_cycle(graph);
  if (!cycle.empty()) return cycle_error(graph, cycle);
  Workflow workflow;
  for (const auto& task : graph.tasks) {
    if (task.is_transfer) {
      workflow.activities.push_back(simulation.comm_init(task.amount).set_name(task.name));
      continue;
    }
    const Exec exec = simulation.exec_init(task.amount);
    exec.set_name(task.name);
    if (task.host) {
      const auto host = simulation.platform().find_host(*task.host);
      if (!host) return Error{task.place + ": the platform has no host '" + *task.host + "'"};
      exec.set_host(simulation.host(*host));
    }
    workflow.activities.push_back(exec);
  }
  for (const auto& edge : graph.edges)
    kernel::link(*workflow.activities[edge.before].record(), *workflow.activities[edge.after].record());
  return workflow;
}

}  // namespace rehearse::sim
