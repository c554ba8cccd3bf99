// SPDX-License-Identifier: MIT
//
// Reads a counter-example with its explanation, for `rehearse explain`. Does not run the program.
//
// Errors: the file, the key and the problem.
#pragma once

#include <string>

#include "app/counterexample.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

struct ExplainReport {
  Counterexample counterexample;
  bool is_outdated = false;  // a program has changed since the check
};

Result<ExplainReport> explain(const std::string& file);

}  // namespace rehearse::app
