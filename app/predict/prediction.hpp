// SPDX-License-Identifier: MIT
//
// The time of an execution on a machine: the execution is reproduced there in simulated time.
//
// The machine decides which messages are buffered. The schedule decides which message each receive gets, at any date.
// The computation of a rank between two calls is measured when the rank first reaches it with a history; later it costs
// the same whenever the rank has that history. These times influence only dates.
//
// Ownership: holds its own copy of the program.
// Threads:   none; a forked process has its own copies, with the measurements so far, and measures the rest itself.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/job.hpp"
#include "app/machine.hpp"
#include "mc/costs.hpp"
#include "simcore/application_record.hpp"
#include "simcore/engine.hpp"
#include "simcore/program.hpp"
#include "simcore/schedule.hpp"
#include "smpi/process.hpp"

namespace rehearse::app {

class Prediction {
 public:
  // bound_seconds: an execution that takes longer is a finding (time.bound).
  static Result<std::unique_ptr<Prediction>> make(const Job& job, const MachineOptions& options,
                                                  std::optional<double> bound_seconds);

  // In seconds; no cost if some rank does not reach the same end on that machine.
  mc::Price operator()(const Schedule& schedule);

  // Applies to this process from now on.
  void limit_steps(const smpi::StepLimits& limits) { program_->limit_steps(limits); }

  const std::string& platform() const { return machine_->platform.name(); }

 private:
  Prediction(std::unique_ptr<smpi::LoadedProgram> program, std::unique_ptr<Machine> machine,
             const ComputeOptions& compute, std::optional<double> bound_seconds);
  ApplicationMeter* meter(const EngineOptions& options);

  std::unique_ptr<smpi::LoadedProgram> program_;
  std::unique_ptr<Machine> machine_;
  ComputeOptions compute_;
  std::optional<double> bound_;
  ApplicationRecord record_;
  std::unique_ptr<ApplicationMeter> meter_;
  pid_t measuring_ = 0;  // the process of the meter
};

// The inputs of predicted times, in a line.
std::string prediction_identity(const MachineOptions& machine, std::optional<double> time_bound);

// The options of a run on that machine, with its own rules for buffering.
EngineOptions options_to_predict(const Machine& machine, const ComputeOptions& compute, const Schedule& schedule);

// The reason why an execution that does not reach the end of its schedule has no cost.
mc::Price without_cost(const RunResult& run);

}  // namespace rehearse::app
