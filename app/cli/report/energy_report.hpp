// SPDX-License-Identifier: MIT
//
// The energy of a run in words: lines for a terminal, tables for a page.
#pragma once

#include <string>
#include <vector>

#include "app/cli/report/html_report.hpp"
#include "app/energy.hpp"
#include "simcore/platform.hpp"

namespace rehearse::cli {

// The sums, and the hosts, links and ranks with the most energy.
std::string text_of(const app::EnergyUse& use, const Platform& platform);

// Hosts, links and ranks, the largest energy first. A long table ends with a row for the others.
std::vector<ReportTable> tables_of(const app::EnergyUse& use, const Platform& platform);

}  // namespace rehearse::cli
