// SPDX-License-Identifier: MIT
//
// GOAL text from a schedule. Labels are l1, l2, ... in the order of the operations.
//
// Order: the dependencies of an operation stand together where this keeps the order of every operation's successors;
//        otherwise the successors of an operation do. Reading gives the same schedule again.
#include <algorithm>
#include <ostream>

#include "trace/goal.hpp"

namespace rehearse::trace {

namespace {

struct GoalEdge {
  std::uint32_t after;
  std::uint32_t before;
  bool begun;
};

std::string number_of(std::uint32_t value, bool may_be_any) {
  return may_be_any && value == goal_any ? "-1" : std::to_string(value);
}

void write_edges(const GoalSchedule& schedule, const GoalSchedule::Block& block, std::ostream& out) {
  std::vector<GoalEdge> edges;
  bool ascends = true;
  for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
    const auto done = schedule.after_done(i), begun = schedule.after_begun(i);
    for (const std::uint32_t after : done) edges.push_back({after, i, false});
    for (const std::uint32_t after : begun) edges.push_back({after, i, true});
    ascends = ascends && std::ranges::is_sorted(done) && std::ranges::is_sorted(begun);
  }
  if (ascends) std::ranges::stable_sort(edges, {}, &GoalEdge::after);
  for (const GoalEdge& edge : edges)
    out << 'l' << edge.after - block.first + 1 << (edge.begun ? " irequires l" : " requires l")
        << edge.before - block.first + 1 << '\n';
}

}  // namespace

std::string text_of(const GoalOperation& operation) {
  std::string text;
  if (operation.kind == GoalKind::calculation) {
    text = "calc " + std::to_string(operation.size);
  } else {
    const bool is_send = operation.kind == GoalKind::send;
    text = (is_send ? "send " : "recv ") + std::to_string(operation.size) + (is_send ? "b to " : "b from ") +
           number_of(operation.peer, !is_send) + " tag " + number_of(operation.tag, true);
  }
  if (operation.cpu != 0) text += " cpu " + std::to_string(operation.cpu);
  if (operation.nic != 0) text += " nic " + std::to_string(operation.nic);
  return text;
}

void write_goal_text(const GoalSchedule& schedule, std::ostream& out) {
  out << "num_ranks " << schedule.ranks() << '\n';
  for (std::uint32_t rank = 0; rank < schedule.ranks(); ++rank) {
    const GoalSchedule::Block& block = schedule.blocks[rank];
    out << "\nrank " << rank << " {\n";
    for (std::uint32_t i = 0; i < block.count; ++i)
      out << 'l' << i + 1 << ": " << text_of(schedule.operations[block.first + i]) << '\n';
    write_edges(schedule, block, out);
    out << "}\n";
  }
}

}  // namespace rehearse::trace
