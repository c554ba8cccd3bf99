// SPDX-License-Identifier: MIT
//
// A trace of any format as a Program, with the facts that a replay reports.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "simcore/program.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::trace {

class ReplayedProgram : public Program {
 public:
  // What is wrong with the trace; nothing so far.
  virtual const std::optional<Error>& problem() const = 0;
  // Actions that were replayed.
  virtual std::uint64_t actions() const = 0;
  virtual std::string format() const = 0;
  // Whether the trace has the volumes of reductions as computation of the ranks.
  virtual bool has_reductions() const { return true; }
};

// Which message a receive from any source, or with any tag, takes: the one that it took in the recorded execution, or
// the first that comes.
enum class Wildcards : std::uint8_t { recorded, free };

// Faults that the trace itself shows (diagnosis.hpp), as Reports of its ranks.
enum class Reports : std::uint8_t { none, all };

// A trace of any format, which is recognised by its content. `wildcards` matters for recordings, and
// `reports` for others: the run that was recorded has reported the faults of a recording.
Result<std::unique_ptr<ReplayedProgram>> open_program(const std::string& path, Wildcards wildcards,
                                                      Reports reports = Reports::none);

}  // namespace rehearse::trace
