// SPDX-License-Identifier: MIT
//
// One line on the terminal with the progress of an exploration; nothing if standard error is not a terminal.
#pragma once

#include <string>

#include "mc/explore_options.hpp"

namespace rehearse::cli {

// "12,345 executions, 20,400 a second, 240,117 operations, about 12.5% done, 42 s left"; the end only if it is known.
std::string progress_text(const mc::Progress& progress);

class ProgressLine {
 public:
  explicit ProgressLine(bool wanted);
  ~ProgressLine();  // clears the line
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const mc::Progress& progress);

 private:
  bool enabled_;
  bool shown_ = false;
};

}  // namespace rehearse::cli
