// SPDX-License-Identifier: MIT
//
// A graph of tasks from a file, and its activities in a simulation.
//
// Errors: `place` of a task is where its file names it, for messages; a cycle is an error that names its tasks.
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

// `root` comes before and `end` behind everything, also where the file has tasks of these names (unless something
// comes before its `root` or behind its `end`).
void add_root_and_end(TaskGraph& graph);

Result<Workflow> build_workflow(Simulation& simulation, const TaskGraph& graph);

}  // namespace rehearse::sim
