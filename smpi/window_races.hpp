// SPDX-License-Identifier: MIT
//
// Races of accesses to windows in epochs of locks, in one execution in simulated time: two operations, or an operation
// and a load or store of the window's owner, that touch the same bytes, and of which neither happened before the other.
//
// Method: vector clocks, one comparison of each access with the earlier ones that are not known to all ranks.
// Limits: loads and stores only of programs compiled with --check-memory, at most 4096 between two calls; receives into
//         window memory, and accesses of start epochs, are not compared. A race that the execution has ordered by
//         chance (a test of several requests) is not found. What is reported is a race.
// Source: MPI 5.0, 12.7; docs/design/one-sided.md.
#pragma once

#include <memory>
#include <vector>

#include "simcore/finding.hpp"
#include "simcore/program.hpp"
#include "simcore/timeline.hpp"

namespace rehearse::smpi {

// Whether ranks of this program may lock windows: it imports MPI_Win_lock or MPI_Win_lock_all.
bool may_lock_windows(Program& program);

// From now on the ranks of this loaded program note their own loads and stores of window memory.
void follow_windows(Program& program);

// Whether the calling rank does.
bool follows_windows();

class WindowRaces final : public Timeline {
 public:
  // The program must have been loaded, and must live as long.
  explicit WindowRaces(Program& program);
  ~WindowRaces() override;

  void on_operation(ActorId actor, const Operation& operation, TimePoint begin, TimePoint end) override;
  void on_computation(ActorId, TimePoint, TimePoint) override {}
  void on_delivery(const rehearse::Delivery& delivery) override;
  void on_effect(ActorId actor, RequestId access, TimePoint now) override;

  std::vector<std::pair<ActorId, Finding>> take_findings();

 private:
  class Search;

  std::unique_ptr<Search> search_;
};

}  // namespace rehearse::smpi
