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

// The hosts of the ranks.
std::vector<std::string> hosts_of(const app::TraceReplay& replay);

// Metrics, the losses of time, ranks, scaling and ladder; at most so many ranks. `hosts`: of the ranks, or none.
std::vector<ReportTable> tables_of(const app::EfficiencyFigures& efficiency, std::size_t most_ranks,
                                   const std::vector<std::string>& hosts);

app::Json to_json(const app::EfficiencyFigures& efficiency);

}  // namespace rehearse::cli
