// SPDX-License-Identifier: MIT
//
// The progress line.
#include "app/cli/progress_line.hpp"

#include <unistd.h>

#include <cmath>
#include <iostream>
#include <iterator>

#include "app/wording.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {

// Shorter runs show no line.
constexpr double quiet_seconds = 1;
// The remaining time of a smaller fraction is unknown.
constexpr double least_fraction = 1e-9;

namespace {

// The approximate duration, in the largest unit of which it has at least two.
std::string about(double seconds) {
  struct Unit {
    double seconds;
    const char* name;
  };
  constexpr Unit units[] = {{365.25 * 86400, "years"}, {86400, "days"}, {3600, "h"}, {60, "min"}, {1, "s"}};
  const auto* unit = units;
  while (unit + 1 != std::end(units) && seconds < 2 * unit->seconds) ++unit;
  const double number = seconds / unit->seconds;
  if (number >= 1e6) return "more than a million " + std::string(unit->name);
  return app::with_commas(static_cast<std::uint64_t>(std::ceil(number))) + " " + unit->name;
}

std::string whole_percent(double fraction) {
  const double tenths = std::floor(fraction * 1000);
  if (tenths < 1) return "less than 0.1%";
  const auto whole = static_cast<std::uint64_t>(tenths);
  return fmt::format("about {}.{}%", whole / 10, whole % 10);
}

}  // namespace

std::string progress_text(const mc::Progress& progress) {
  const auto rate = static_cast<std::uint64_t>(static_cast<double>(progress.executions) / progress.seconds);
  return app::with_commas(progress.executions) + " executions, " + app::with_commas(rate) + " a second, " +
         app::with_commas(progress.operations) + " operations" +
         (progress.fraction < least_fraction
              ? ""
              : ", " + whole_percent(progress.fraction) + " done, " +
                    about(progress.seconds * (1 - progress.fraction) / progress.fraction) + " left");
}

ProgressLine::ProgressLine(bool wanted) : enabled_(wanted && isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() {
  if (shown_) std::cerr << "\r\033[K" << std::flush;
}

void ProgressLine::show(const mc::Progress& progress) {
  if (!enabled_ || progress.seconds < quiet_seconds) return;
  shown_ = true;
  std::cerr << "\r\033[K" << progress_text(progress) << std::flush;
}

}  // namespace rehearse::cli
