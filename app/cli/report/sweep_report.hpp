// SPDX-License-Identifier: MIT
//
// The results of a sweep as a table, and as a page for browsers.
#pragma once

#include <string>

#include "app/sweep.hpp"

namespace rehearse::cli {

// A line for each point, and the crossings.
std::string sweep_text(const app::SweepReport& report);

// One HTML file without references to others.
std::string sweep_page(const app::SweepReport& report);

}  // namespace rehearse::cli
