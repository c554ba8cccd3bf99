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

// One line, which begins with the answer and names the first error.
std::string verdict_line(const app::CheckReport& report);

// A line about the file that --proof asked for: where it is, or why a verified program has none; empty without a proof.
std::string proof_file(const app::CheckReport& report);

// A line with the number of local histories that could be merged; empty if not requested.
std::string mergeable_histories(const app::CheckReport& report);

// Lines with the fastest and the slowest execution, and a histogram of all; empty if no times were predicted.
std::string predicted_times(const app::CheckReport& report);

// "happens after 0.000143 s"
std::string when(const app::FailureTime& time);

// A line with the number of ranks with which the first error happens; empty if not requested.
std::string fewer_ranks(const app::CheckReport& report);

// A line for the date of each error and warning on the platform; empty if no times were predicted.
std::string predicted_failures(const app::CheckReport& report);

// A line for each other finding.
std::string other_findings(const app::CheckReport& report);

}  // namespace rehearse::cli
