// SPDX-License-Identifier: MIT
//
// The progress line.
#include "cli/progress_line.hpp"

#include <unistd.h>

#include <iostream>

#include "cli/report/wording.hpp"

namespace rehearse::cli {

// Runs shorter than this show none.
constexpr double quiet_seconds = 1;

std::string progress_text(const mc::Progress& progress) {
  const auto rate = static_cast<std::uint64_t>(static_cast<double>(progress.executions) / progress.seconds);
  return with_commas(progress.executions) + " executions, " + with_commas(rate) + " a second, " +
         with_commas(progress.operations) + " operations";
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
