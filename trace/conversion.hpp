// SPDX-License-Identifier: MIT
//
// Traces of calls in other formats.
//
// Memory: independent of the length of the trace.
// Errors: of the trace, when its actions are read; of the file that is written.
#pragma once

#include <ostream>
#include <string>

#include "simcore/support/result.hpp"
#include "trace/losses.hpp"
#include "trace/trace.hpp"

namespace rehearse::trace {

struct Conversion {
  std::string unsupported;  // an action that the other format cannot express, and why; then the output is not whole
  Losses losses;
};

// As time-independent text, rank after rank.
Result<Conversion> write_text(const Trace& trace, std::ostream& out);

// As a recording. `about`: JSON. Its replay gives each rank the dates of a replay of the trace.
Result<Conversion> write_recording(const Trace& trace, const std::string& path, const std::string& about);

}  // namespace rehearse::trace
