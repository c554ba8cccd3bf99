// SPDX-License-Identifier: MIT
//
// How long an execution takes on a machine, by making it happen again there in simulated time.
//
// The machine decides which messages are buffered; the schedule, which message every receive gets, whenever it comes.
// What ranks compute between calls takes no time, what they sleep does.
//
// Ownership: holds a copy of the program of its own.
// Threads:   none; a process that was forked has a copy of its own.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/machine.hpp"
#include "mc/costs.hpp"
#include "simcore/engine.hpp"
#include "simcore/program.hpp"
#include "simcore/schedule.hpp"
#include "smpi/process.hpp"

namespace rehearse::cli {

class Prediction {
 public:
  // bound_seconds: what takes longer is a finding (time.bound).
  static Result<std::unique_ptr<Prediction>> make(const std::string& path, const std::vector<std::string>& arguments,
                                                  std::uint32_t ranks, const MachineOptions& options,
                                                  const smpi::BufferChecks& buffers,
                                                  std::optional<double> bound_seconds);

  // In seconds; no cost where not all ranks come to their end like this on that machine.
  mc::Price operator()(const Schedule& schedule);

  const std::string& platform() const { return machine_->platform.name(); }

 private:
  Prediction(std::unique_ptr<Program> program, std::unique_ptr<Machine> machine, std::optional<double> bound_seconds);

  std::unique_ptr<Program> program_;
  std::unique_ptr<Machine> machine_;
  std::optional<double> bound_;
};

// In time on that machine, with its own rules of which messages are buffered.
EngineOptions options_to_predict(const Machine& machine, const Schedule& schedule);

}  // namespace rehearse::cli
