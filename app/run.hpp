// SPDX-License-Identifier: MIT
//
// Runs a program once in simulated time and judges it, for `rehearse run` and for C++ programs (docs/api.md).
//
// Units:   bytes; flops.
// Errors:  a program that cannot be loaded, by its path; after `run: ` a machine that cannot be made, or a run that
//          cannot be carried out.
// Process: the program is loaded into this process and runs in it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "app/folding.hpp"
#include "app/job.hpp"
#include "app/machine.hpp"
#include "app/merging.hpp"
#include "app/rank_failures.hpp"
#include "app/sampling.hpp"
#include "app/timed_run.hpp"
#include "properties/selection.hpp"
#include "simcore/application_record.hpp"
#include "simcore/engine.hpp"
#include "simcore/output.hpp"
#include "simcore/schedule.hpp"
#include "simcore/support/result.hpp"
#include "smpi/process.hpp"

namespace rehearse::app {

struct RunRequest {
  Job job;  // its buffer checks follow from `selection`, its nodes from the machine
  MachineOptions machine;
  double combine_flops_per_byte = EngineOptions{}.combine_flops_per_byte;
  smpi::StepLimits steps = {};
  std::optional<double> simulated_seconds_max = {};  // at this date, the run is cut, and inconclusive
  properties::Selection selection = {};
  bool warnings_as_errors = false;
  bool strict = false;         // pending receives into one buffer are errors, as in an exploration; else warnings
  bool discard_files = false;  // files that ranks write stay in memory, and are discarded at the end
  Recorded recorded = Recorded::nothing;
  std::string trace;       // file to record the run to; empty: none
  Schedule schedule = {};  // decisions that the run takes; a decision that it cannot take makes it inconclusive
  std::vector<RequestedFailure> failures = {};  // of ranks; not with `trace`
  SamplingOptions sampling = {};
  FoldingOptions folding = {};
  MergingOptions merging = {};
  ApplicationRecord* application_record = nullptr;  // measured computation of earlier runs; null: none
};

struct MachineRun {
  std::unique_ptr<Machine> machine;              // of the run; its cost model cannot be used again
  std::unique_ptr<smpi::Sampling> sampling;      // before the program, which uses it
  std::unique_ptr<smpi::Folding> folding;        // likewise
  std::unique_ptr<smpi::PageMerging> merging;    // likewise; null: none
  std::unique_ptr<smpi::LoadedProgram> program;  // in its state at the end
  TimedRun run;
  double wall_seconds = 0;  // of the run, without loading
};

// `output`: gets the output of the ranks; null: dropped.
Result<MachineRun> run(const RunRequest& request, OutputSink* output = nullptr);

}  // namespace rehearse::app
