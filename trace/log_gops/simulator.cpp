// SPDX-License-Identifier: MIT
//
// See simulator.hpp.
#include "trace/log_gops/simulator.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "simcore/support/large_vector.hpp"
#include "trace/log_gops/event_loop.hpp"

namespace rehearse::trace::log_gops {

namespace {

// Those of a schedule, by their index.
class ScheduledOperations {
 public:
  static constexpr bool are_few = false;

  explicit ScheduledOperations(const GoalSchedule& schedule)
      : schedule_(schedule), progress_(schedule.operations.size()) {}

  std::uint32_t ranks() const { return schedule_.ranks(); }
  const LargeVector<GoalOperation>& operations() const { return schedule_.operations; }
  LargeVector<Progress>& progress() { return progress_; }
  static constexpr bool is_given_up() { return false; }

  void start(std::uint32_t rank, std::vector<std::uint32_t>& freed) {
    const GoalSchedule::Block& block = schedule_.blocks[rank];
    for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
      progress_[i].rank = rank;
      progress_[i].needs_or_next = schedule_.operations[i].needs;
      if (progress_[i].needs_or_next == 0) freed.push_back(i);
    }
  }
  void begin(std::uint32_t operation, std::uint64_t date, std::vector<std::uint32_t>& freed) {
    progress_[operation].has_begun = 1;
    satisfy(schedule_.after_begun(operation), date, freed);
  }
  void finish(std::uint32_t operation, std::uint64_t date, std::vector<std::uint32_t>& freed) {
    progress_[operation].is_done = 1;
    satisfy(schedule_.after_done(operation), date, freed);
  }
  static void forget_message(std::uint32_t) {}

 private:
  void satisfy(std::span<const std::uint32_t> successors, std::uint64_t date, std::vector<std::uint32_t>& freed) {
    for (const std::uint32_t each : successors) {
      Progress& progress = progress_[each];
      progress.date = std::max(progress.date, date);
      if (--progress.needs_or_next == 0) freed.push_back(each);
    }
  }

  const GoalSchedule& schedule_;
  LargeVector<Progress> progress_;
};

template <class Ranks>
LogGopsResult run(const GoalSchedule& schedule, Ranks ranks, const LogGopsParameters& parameters) {
  ScheduledOperations operations(schedule);
  EventLoop<Ranks, ScheduledOperations> loop(operations, std::move(ranks), parameters);
  LogGopsResult result = loop.run();
  for (std::uint32_t rank = 0; rank < schedule.ranks(); ++rank) {
    const GoalSchedule::Block& block = schedule.blocks[rank];
    for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
      const Progress& progress = operations.progress()[i];
      if (!progress.is_done) (progress.has_begun ? result.begun : result.not_begun).push_back(i);
    }
    const std::vector<std::uint32_t> sends = loop.not_received(rank);
    result.not_received.insert(result.not_received.end(), sends.begin(), sends.end());
  }
  return result;
}

bool has_one_processor_per_rank(const GoalSchedule& schedule) {
  return std::ranges::all_of(schedule.operations,
                             [](const GoalOperation& operation) { return operation.cpu == 0 && operation.nic == 0; });
}

}  // namespace

LogGopsResult run_simulation(const GoalSchedule& schedule, const LogGopsParameters& parameters) {
  if (has_one_processor_per_rank(schedule)) return run(schedule, SingleRanks(schedule.ranks()), parameters);
  return run(schedule, GeneralRanks(schedule), parameters);
}

}  // namespace rehearse::trace::log_gops
