// SPDX-License-Identifier: MIT
//
// One line on the terminal with the progress of a slow simulation (--network ns3); nothing if standard error is not a
// terminal.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "simcore/time.hpp"

namespace rehearse::cli {

// "simulated 0.0123 s in 12 s: a second takes 976 s".
std::string simulation_text(TimePoint date, double real_seconds);

class SimulationLine {
 public:
  explicit SimulationLine(bool wanted);
  ~SimulationLine();  // clears the line
  SimulationLine(const SimulationLine&) = delete;
  SimulationLine& operator=(const SimulationLine&) = delete;

  // For ModelFlags::on_progress; empty if there is no line. Must not outlive this.
  std::function<void(TimePoint)> shows();

 private:
  bool enabled_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace rehearse::cli
