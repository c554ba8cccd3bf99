// SPDX-License-Identifier: MIT
//
// A GOAL schedule as a Program: an actor for each rank, which starts the operations that have become free.
//
// Messages:     all are nonblocking; the actor observes whichever is complete. Operations that become free at one date
//               begin in the order in which they became free, those at the start in the order of the file.
// Calculations: one at a time for each processor (`cpu`) of a rank, in the order in which they became free. An empty
// one
//               takes neither time nor a processor. If a rank is a chain, its actor computes. Otherwise each of its
//               processors is an actor of its own, behind those of the ranks, so that messages go on meanwhile.
// Signals:      a rank and its processors agree by collectives of two members without data. The engine must get
//               schedules of collectives without messages (empty_schedules()), so that they take no time.
// Numbers of network ports (`nic`) mean nothing: ports are those of the platform.
// Protocol:     save() returns null, and restart() is not possible: a program runs once.
// Units:        flop/s.
// Threads:      none.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simcore/collective_schedule.hpp"
#include "simcore/outcome.hpp"
#include "trace/goal.hpp"
#include "trace/log_gops.hpp"
#include "trace/replayed_program.hpp"

namespace rehearse::trace {

std::unique_ptr<CollectiveSchedules> empty_schedules();

class GoalProgram final : public ReplayedProgram {
 public:
  // A calculation of N ns is N / 1e9 * flops_per_second flops.
  GoalProgram(const GoalSchedule& schedule, double flops_per_second);
  ~GoalProgram() override;

  // Operations that never ended, and messages that nobody received. `ends` is empty.
  LogGopsResult leftovers(const Outcome& outcome) const;

  const std::optional<Error>& problem() const override { return problem_; }
  std::uint64_t actions() const override { return actions_; }
  std::string format() const override { return schedule_.format; }
  std::uint32_t ranks() const override { return schedule_.ranks(); }
  std::uint32_t rank_of(ActorId actor) const override;
  FrozenAnswers frozen() const override { return {}; }
  ActionPlace place(ActorId actor) override;

  std::uint32_t actor_count() const override;
  const Operation& next(ActorId actor) override;
  void resume(ActorId actor, const Observation& observation) override;
  void restart(ActorId actor) override;
  std::unique_ptr<Snapshot> save(ActorId actor) override;
  void restore(ActorId actor, const Snapshot& snapshot) override;
  std::uint64_t site(ActorId actor) override;
  Frame locate(ActorId actor, const Origin& origin) override;
  CallDescription describe(ActorId actor) override;

 private:
  class Rank;
  class Processor;
  Processor* processor(ActorId actor) const;

  const GoalSchedule& schedule_;
  std::vector<std::unique_ptr<Rank>> ranks_;
  std::vector<std::unique_ptr<Processor>> processors_;
  std::optional<Error> problem_;
  std::uint64_t actions_ = 0;
};

}  // namespace rehearse::trace
