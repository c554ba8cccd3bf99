// SPDX-License-Identifier: MIT
//
// The report of `rehearse check`: the verdict in one word, as text, and as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/check_report.hpp"
#include "app/cli/report/branching_text.hpp"
#include "app/finding_json.hpp"

namespace rehearse::cli {

int exit_status_of(app::Answer answer);

app::Json to_json(const app::CheckReport& report);

// One line, beginning with the answer; it names the first error.
std::string verdict_line(const app::CheckReport& report);

// The fastest and the slowest execution, and a histogram of all, in lines; empty where times were not predicted.
std::string predicted_times(const app::CheckReport& report);

// "happens after 0.000143 s"
std::string when(const app::FailureTime& time);

// With how many ranks the first error happens, in a line; empty where nobody asked.
std::string fewer_ranks(const app::CheckReport& report);

// When its errors and warnings happen there, a line for each; empty where times were not predicted.
std::string predicted_failures(const app::CheckReport& report);

// A line for each other finding.
std::string other_findings(const app::CheckReport& report);

}  // namespace rehearse::cli
