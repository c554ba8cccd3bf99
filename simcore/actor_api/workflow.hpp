// SPDX-License-Identifier: MIT
//
// Graphs of tasks from files: computations and transfers with dependencies, to be placed on hosts and run.
//
// Formats: DOT (a subset of graphviz's language: digraph, nodes, edges, attribute `size`: flops of a node, bytes of an
//          edge); JSON of WfCommons (workflow.tasks[]: name, type compute or transfer, runtimeInSeconds taken as flops,
//          writtenBytes, machine, parents).
// Shape:   in the order of the file; a transfer is between the two computations that it connects. `root` and `end`
//          are added if a DOT file does not have them, as the first and the last task.
// Errors:  Result: file and line, the value, the accepted values; the error about a cycle names it.
#pragma once

#include <string>
#include <vector>

#include "simcore/actor_api/activity.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::sim {

class Simulation;

struct Workflow {
  std::vector<Activity> activities;
  std::vector<Exec> computations() const;
  std::vector<Comm> transfers() const;
};

Result<Workflow> load_workflow_dot(Simulation& simulation, const std::string& file);
Result<Workflow> load_workflow_json(Simulation& simulation, const std::string& file);

}  // namespace rehearse::sim
