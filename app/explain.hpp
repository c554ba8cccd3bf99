// SPDX-License-Identifier: MIT
//
// What is known of a counter-example. It is what `rehearse explain` shows; it starts nothing.
//
// Errors: the file, the key and what is wrong with it.
#pragma once

#include <string>

#include "app/counterexample.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

struct ExplainReport {
  Counterexample counterexample;
  bool is_outdated = false;  // its programs are there, and are others by now
};

Result<ExplainReport> explain(const std::string& file);

}  // namespace rehearse::app
