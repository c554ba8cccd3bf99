// SPDX-License-Identifier: MIT
//
// The page of a check for browsers: the verdict, and each of the first findings as it happens in simulated time.
//
// Errors: a finding that does not happen again in time, or whose replay dies, is told without a recording, with the
//         reason.
#pragma once

#include <string>
#include <vector>

#include "cli/report/check_report.hpp"

namespace rehearse::cli {

// Writes it to the file; empty, or what went wrong. `path`, `arguments`: of the program, which is run again in other
// processes.
std::string write_check_page(const std::string& file, const CheckReport& report, const std::string& path,
                             const std::vector<std::string>& arguments);

}  // namespace rehearse::cli
