// SPDX-License-Identifier: MIT
//
// The report of `rehearse trace profile` in the LogGOPS model: as tables and as JSON.
#pragma once

#include <string_view>
#include <vector>

#include "app/cli/report/html_report.hpp"
#include "app/json.hpp"
#include "app/log_gops_profile.hpp"

namespace rehearse::cli {

// The uses of time, the growth of the end, and a table by `division`: rank, peer or size. At most so many rows.
std::vector<ReportTable> tables_of(const app::LogGopsProfile& profile, std::string_view division,
                                   std::size_t most_rows);

app::Json to_json(const app::LogGopsProfile& profile);

}  // namespace rehearse::cli
