// SPDX-License-Identifier: MIT
//
// A graph of tasks from a file, and its activities in a simulation.
//
// Errors: `place` of a task is its place in the file, for messages. A cycle is an error with its tasks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simcore/actor_api/workflow.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::sim {

struct TaskGraph {
  struct Task {
    std::string name;
    bool is_transfer = false;
    double amount = 0;  // flops or bytes
    std::optional<std::string> host = {};
    std::string place = {};
  };
  struct Edge {
    std::uint32_t before = 0;
    std::uint32_t after = 0;
  };

  std::vector<Task> tasks;
  std::vector<Edge> edges;
};

// Makes `root` the first and `end` the last task, also if the file has tasks of these names (unless the file has
// predecessors of `root` or successors of `end`).
void add_root_and_end(TaskGraph& graph);

Result<Workflow> build_workflow(Simulation& simulation, const TaskGraph& graph);

}  // namespace rehearse::sim
