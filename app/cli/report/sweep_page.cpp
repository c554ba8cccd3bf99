// SPDX-License-Identifier: MIT
//
// The page of a sweep.
#include "app/cli/report/sweep_report.hpp"

namespace rehearse::cli {

std::string sweep_page(const app::SweepReport& report) { return to_json(report).dump(); }

}  // namespace rehearse::cli
