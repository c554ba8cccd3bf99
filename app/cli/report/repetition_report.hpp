// SPDX-License-Identifier: MIT
//
// Repeated runs, and the comparison of two reports, as text and as JSON.
#pragma once

#include <string>
#include <vector>

#include "app/json.hpp"
#include "app/repeated_times.hpp"
#include "app/repetition.hpp"
#include "app/reported_times.hpp"
#include "app/time_comparison.hpp"

namespace rehearse::cli {

// Notes and statistics, for standard error. Requires a run.
std::string text_of(const app::Repetition& repetition);

// The key `repetition` of a report.
app::Json to_json(const app::Repetition& repetition);

// mean, deviation, minimum, p10, median, p90, maximum, skewness, mean_interval, median_interval.
app::Json to_json(const app::TimeStatistics& statistics);

// "b.json is faster: ...", with the table of both.
std::string text_of(const app::TimeComparison& comparison, const app::ReportedTimes& first,
                    const app::ReportedTimes& second);
app::Json to_json(const app::TimeComparison& comparison, const app::ReportedTimes& first,
                  const app::ReportedTimes& second);

}  // namespace rehearse::cli
