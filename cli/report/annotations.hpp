// SPDX-License-Identifier: MIT
//
// The answer of `rehearse check` as workflow commands of GitHub Actions, which shows them at the lines of a change.
//
// Source: GitHub's documentation of workflow commands, "Setting an error message".
#pragma once

#include <string>

#include "cli/report/check_report.hpp"

namespace rehearse::cli {

// A line for each finding, `::error file=...,line=...,title=...::...` (warning, notice), and one for an answer without
// findings: a notice when verified, a warning when inconclusive.
std::string github_annotations(const CheckReport& report, const std::string& folder);

}  // namespace rehearse::cli
