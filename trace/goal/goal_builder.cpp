// SPDX-License-Identifier: MIT
//
// Edges sorted by the operation that others wait for: counted, then placed.
#include "trace/goal/goal_builder.hpp"

#include <cmath>

namespace rehearse::trace::goal {

void GoalBuilder::begin_rank(std::uint32_t rank) {
  if (rank >= schedule_.blocks.size()) schedule_.blocks.resize(std::size_t{rank} + 1);
  rank_ = rank;
  first_ = schedule_.operations.size();
}

void GoalBuilder::end_rank() {
  const std::uint32_t count = this->count();
  schedule_.blocks[rank_] = {static_cast<std::uint32_t>(first_), count};
  GoalOperation* operations = schedule_.operations.data() + first_;
  for (const Edge& edge : edges_) {
    ++operations[edge.after].needs;
    ++(edge.begun ? operations[edge.before].first_begun : operations[edge.before].first_done);
  }
  LargeVector<std::uint32_t>& successors = schedule_.successors;
  auto at = static_cast<std::uint32_t>(successors.size());
  places_.resize(2 * std::size_t{count});
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t done = operations[i].first_done, begun = operations[i].first_begun;
    places_[2 * i] = operations[i].first_done = at;
    places_[2 * i + 1] = operations[i].first_begun = at + done;
    at += done + begun;
  }
  successors.resize(at);
  for (const Edge& edge : edges_)
    successors[places_[2 * edge.before + (edge.begun ? 1 : 0)]++] = static_cast<std::uint32_t>(first_ + edge.after);
  edges_.clear();
}

void GoalBuilder::finish() {
  GoalOperation end;
  end.first_done = end.first_begun = static_cast<std::uint32_t>(schedule_.successors.size());
  schedule_.actions = schedule_.operations.size();
  schedule_.operations.push_back(end);
}

}  // namespace rehearse::trace::goal

namespace rehearse::trace {

void scale_calculations(GoalSchedule& schedule, std::span<const double> factor_of_rank) {
  for (std::size_t rank = 0; rank < factor_of_rank.size(); ++rank) {
    const GoalSchedule::Block& block = schedule.blocks[rank];
    for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
      GoalOperation& operation = schedule.operations[i];
      if (operation.kind == GoalKind::calculation)
        operation.size =
            static_cast<std::uint64_t>(std::llround(static_cast<double>(operation.size) * factor_of_rank[rank]));
    }
  }
}

}  // namespace rehearse::trace
