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
#include "trace/wildcards.hpp"

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

// A trace of any format, which is recognised by its content. `wildcards` matters for recordings.
Result<std::unique_ptr<ReplayedProgram>> open_program(const std::string& path, Wildcards wildcards);

}  // namespace rehearse::trace
