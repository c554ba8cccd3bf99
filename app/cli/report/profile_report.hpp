// SPDX-License-Identifier: MIT
//
// The report of `rehearse trace profile`: as tables and as JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/cli/report/html_report.hpp"
#include "app/json.hpp"
#include "app/trace_profile.hpp"

namespace rehearse::cli {

// The uses of time; then one table by `division`: action, site, region, rank, peer or size. At most so many rows.
ReportTable table_of_uses(const app::TimeProfile& profile);
ReportTable table_by(std::string_view division, const app::TimeProfile& profile, std::size_t most_rows);

app::Json to_json(const app::TimeProfile& profile);

}  // namespace rehearse::cli
