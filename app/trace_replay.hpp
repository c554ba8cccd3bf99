// SPDX-License-Identifier: MIT
//
// A recorded execution in simulated time, on any machine, for `rehearse trace replay` and for C++ programs.
//
// Units:   bytes, flops.
// Errors:  a trace that cannot be read, with file and line; behind the name of the verb a machine that cannot be made,
//          alterations that fit nothing, or a replay that cannot be carried out.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/machine.hpp"
#include "app/timed_run.hpp"
#include "simcore/engine.hpp"
#include "simcore/support/result.hpp"
#include "trace/replayed_program.hpp"

namespace rehearse::app {

struct TraceReplayRequest {
  std::string verb = "trace replay";  // for errors
  std::string file;                   // of any format
  MachineOptions machine;             // its options for computation do not matter: the trace has volumes
  // Of reductions, besides the volumes in the trace. Empty: 0 if the trace has volumes of reductions, else as in a run.
  std::optional<double> combine_flops_per_byte = {};
  trace::Wildcards wildcards = trace::Wildcards::recorded;
  trace::Alterations alterations = {};
  std::uint32_t replicas = 1;       // of the trace, side by side
  std::optional<double> rate = {};  // volume per second of a core, in the unit of the trace; empty: that of its host
  std::string rate_file;            // rates by place (recorded_volume.hpp); empty: none
  std::optional<double> until_seconds = {};  // the replay is cut at this date (RunResult::was_cut)
  Recorded recorded = Recorded::nothing;
  double schedule_flops_per_second = 1e10;  // of GOAL: a calculation of N ns is N / 1e9 times as many flops
};

// Listens to a replay.
class ReplayListener {
 public:
  virtual ~ReplayListener() = default;
  // Whether it needs an actor for each rank, and no others.
  virtual bool needs_ranks_alone() const { return false; }
  // Before the replay. The Program and the Machine live as long as the replay.
  virtual Timeline& listen(trace::ReplayedProgram& program, const Machine& machine) = 0;
};

struct TraceReplay {
  std::string format;
  std::uint64_t actions = 0;
  std::string about;  // JSON about the recording; empty: the format has none
  trace::FrozenAnswers frozen;
  std::vector<std::string> unused_rates;  // places of the rate file that the trace does not have
  std::unique_ptr<Machine> machine;       // of the replay; its cost model is used up
  TimedRun run;                           // messages that nobody receives are warnings
  double wall_seconds = 0;                // of the replay, without the pass that finds the ranks' lines
};

// `listener`: gets the events of the replay, with its Program at its first date; null: nobody.
Result<TraceReplay> replay_trace(const TraceReplayRequest& request, ReplayListener* listener = nullptr);

// The same for a GOAL schedule; messages are those of the network. Of the alterations only the factors of ranks matter;
// `wildcards` and combine_flops_per_byte of the request do not.
Result<TraceReplay> replay_schedule(const TraceReplayRequest& request, ReplayListener* listener = nullptr);

// Either of them, by the format of the file.
Result<TraceReplay> replay_any(const TraceReplayRequest& request, ReplayListener* listener = nullptr);

}  // namespace rehearse::app
