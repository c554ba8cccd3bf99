// SPDX-License-Identifier: MIT
//
// See simulation_line.hpp.
#include "app/cli/simulation_line.hpp"

#include <unistd.h>

#include <iostream>

#include "simcore/support/format.hpp"

namespace rehearse::cli {

std::string simulation_text(TimePoint date, double real_seconds) {
  const double simulated = date.seconds();
  std::string text = fmt::format("simulated {:.6g} s in {:.0f} s", simulated, real_seconds);
  if (simulated > 0) text += fmt::format(": a second takes {:.3g} s", real_seconds / simulated);
  return text;
}

SimulationLine::SimulationLine(bool wanted) : enabled_(wanted && isatty(STDERR_FILENO) != 0) {}

SimulationLine::~SimulationLine() {
  if (shown_) std::cerr << "\r\033[K" << std::flush;
}

std::function<void(TimePoint)> SimulationLine::shows() {
  if (!enabled_) return {};
  return [this](TimePoint date) {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    shown_ = true;
    std::cerr << "\r\033[K" << simulation_text(date, passed.count()) << '\r' << std::flush;  // output overwrites it
  };
}

}  // namespace rehearse::cli
