// SPDX-License-Identifier: MIT
//
// Traces of calls as GOAL schedules, and back where a schedule is a sequence of calls.
//
// Calls:   the operations of a rank are a chain. A nonblocking call is irequired by the next one, a wait is `calc 0`
//          that requires it, a computation is its duration at a given speed. A collective is expanded into its
//          messages: a round is receives and sends that require the round before, and `calc 0` that requires them.
// Tags:    the k-th communicator in the order of use (from 0) adds k 10,000,000 to tags; its n-th collective has tag
//          1,000,000 + n of that. So the tags of a trace must be below 1,000,000.
// Rounds:  barrier dissemination; broadcast and reduce binomial or linear; allreduce recursive doubling; gather(v) and
//          scatter(v) linear; allgather(v) ring; alltoall(v) and reduce_scatter pairwise; scan and exscan a chain.
// Units:   flop/s; seconds become whole nanoseconds, halves to the even one.
// Errors:  FILE:LINE, rank and action.
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "simcore/support/result.hpp"
#include "trace/goal.hpp"
#include "trace/trace.hpp"

namespace rehearse::trace {

struct GoalConversion {
  std::optional<double> flops_per_second;  // needed if something is computed
  bool has_linear_broadcast = false;
  bool has_linear_reduce = false;
};

struct ConvertedTrace {
  GoalSchedule schedule;
  std::string unsupported;  // an action that GOAL cannot express, and why; then there is no schedule
  Losses losses;            // of the reading
};

Result<ConvertedTrace> make_schedule(const Trace& trace, const GoalConversion& options);

// As a time-independent trace. Errors: a rank that is no sequence of calls, with its file and line; the rest of the
// file may be there then.
Result<void> write_calls(const GoalSchedule& schedule, const GoalConversion& options, std::ostream& out);

}  // namespace rehearse::trace
