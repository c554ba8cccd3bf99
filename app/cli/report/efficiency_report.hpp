// SPDX-License-Identifier: MIT
//
// The report of `rehearse trace efficiency`: as tables and as JSON.
#pragma once

#include <string>
#include <vector>

#include "app/cli/report/html_report.hpp"
#include "app/json.hpp"
#include "app/trace_efficiency.hpp"

namespace rehearse::cli {

// Metrics, the losses of time, ranks, scaling and ladder; at most so many ranks.
std::vector<ReportTable> tables_of(const app::TraceEfficiency& efficiency, std::size_t most_ranks);

app::Json to_json(const app::TraceEfficiency& efficiency);

}  // namespace rehearse::cli
