// SPDX-License-Identifier: MIT
//
// The answer of `rehearse check` as workflow commands of GitHub Actions, which shows them at the lines of a change.
//
// Source: GitHub's documentation of workflow commands, "Setting an error message".
#pragma once

#include <string>

#include "app/cli/report/check_text.hpp"

namespace rehearse::cli {

// A line for each finding, `::error file=...,line=...,title=...::...` (warning, notice), and one for an answer without
// findings: a notice if verified, a warning if inconclusive.
std::string github_annotations(const app::CheckReport& report, const std::string& folder);

}  // namespace rehearse::cli
