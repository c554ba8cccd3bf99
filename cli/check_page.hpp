// SPDX-License-Identifier: MIT
//
// The page of a check for browsers: the verdict, and each of the first findings as it happens in simulated time.
//
// Errors: a finding that does not happen again in time, or whose replay dies, is told without a recording, with the
//         reason.
#pragma once

#include <string>

#include "cli/counterexample.hpp"
#include "cli/report/check_report.hpp"

namespace rehearse::cli {

// Writes it to the file; empty, or what went wrong. `of`: what the counter-examples of the report's findings share.
// The program is run again in other processes.
std::string write_check_page(const std::string& file, const CheckReport& report, Counterexample of);

}  // namespace rehearse::cli
