// SPDX-License-Identifier: MIT
//
// How long an execution takes on a machine, by making it happen again there in simulated time.
//
// The machine decides which messages are buffered; the schedule, which message every receive gets, whenever it comes.
// What a rank computes between two calls is measured when the rank comes there with a history for the first time; from
// then on it costs as much wherever the rank has that history. These times decide nothing but dates.
//
// Ownership: holds a copy of the program of its own.
// Threads:   none; a process that was forked has copies of its own, also of what is remembered, and measures the rest.
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
  // bound_seconds: what takes longer is a finding (time.bound).
  static Result<std::unique_ptr<Prediction>> make(const Job& job, const MachineOptions& options,
                                                  std::optional<double> bound_seconds);

  // In seconds; no cost where not all ranks come to their end like this on that machine.
  mc::Price operator()(const Schedule& schedule);

  // In this process, from now on.
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
  pid_t measuring_ = 0;  // the process whose meter it is
};

// What predicted times depend on, in a line.
std::string prediction_identity(const MachineOptions& machine, std::optional<double> time_bound);

// In time on that machine, with its own rules of which messages are buffered.
EngineOptions options_to_predict(const Machine& machine, const ComputeOptions& compute, const Schedule& schedule);

// Why an execution that does not come to its end as its schedule says has no cost.
mc::Price without_cost(const RunResult& run);

}  // namespace rehearse::app
