// SPDX-License-Identifier: MIT
//
// Replays over values of one or two options: their combinations, and the table of their simulated times.
//
// Text: --sweep NAME=VALUE,VALUE,...; with a semicolon among the values, semicolons separate them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/run_warning.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::cli {

class OptionSet;

struct SweepOptions {
  std::vector<std::string> items;  // NAME=VALUES
  std::string csv;                 // file; empty: none
};

void declare(OptionSet& app, SweepOptions& options);

// The result of one replay.
struct SweepPoint {
  double seconds = 0;
  int exit_status = 0;
};

class Sweep {
 public:
  // `given`: the options of the command. Errors: an option that cannot be swept, or that has a value already.
  static Result<Sweep> make(const SweepOptions& options, const OptionSet& given);

  std::size_t size() const { return points_.size(); }
  // `--NAME=VALUE` for each option; the last one changes fastest.
  std::vector<std::string> arguments(std::size_t point) const;
  void note(std::size_t point, const SweepPoint& result) { points_[point] = result; }

  struct Output {
    std::string trace;
    std::string json, csv;  // files; empty: none
    bool is_quiet = false;
  };
  // Prints the table and writes the files. The exit status of the worst replay, or that of an error.
  int finish(const Output& output) const;

 private:
  struct Axis {
    std::string name;
    std::vector<std::string> values;
  };
  const std::string& value(std::size_t point, std::size_t axis) const;
  std::string table() const;
  std::string comma_separated() const;
  std::vector<app::RunWarning> warnings() const;

  std::vector<Axis> axes_;
  std::vector<SweepPoint> points_;
};

}  // namespace rehearse::cli
