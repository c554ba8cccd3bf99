// SPDX-License-Identifier: MIT
//
// Takes the steps of a lasso again, one after the other, with local histories that are not merged: the places of the
// actors, the schedule in the numbers of a usual execution, and whether the loop closes.
//
// Threads: none.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "mc/cycle/rules.hpp"
#include "mc/state_search.hpp"
#include "simcore/state_image.hpp"

namespace rehearse::mc::cycle {

class Trace {
 public:
  // Everything must outlive the trace.
  Trace(Program& program, const StateSearchOptions& options, Polls polls);

  // False: a step is not possible any more.
  bool take(std::span<const Step> steps, bool is_shown);
  // Equal for equal states, also of other traces of one program.
  history::Hash128 state();

  std::vector<LassoStep>& shown() { return shown_; }
  Schedule& schedule() { return schedule_; }
  std::vector<std::uint32_t> operations() const;

 private:
  void show(const Step& step);
  void note(const Step& step);
  SendName name_of(const Node* sent) const;

  Program& program_;
  StateImages& images_;
  history::History history_;
  Rules rules_;
  World world_;
  std::vector<std::uint32_t> starts_;                             // by actor: number of requests so far
  std::map<std::pair<std::uint32_t, RequestId>, RequestId> now_;  // a started request: its number in a usual execution
  std::map<const Node*, SendName> sends_;                         // each Send has a node of its own
  std::vector<LassoStep> shown_;
  Schedule schedule_;
  std::uint64_t without_image_ = 0;  // such states equal no other
};

}  // namespace rehearse::mc::cycle
