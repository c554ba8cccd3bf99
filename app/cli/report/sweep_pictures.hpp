// SPDX-License-Identifier: MIT
//
// Pictures of what a sweep draws, as SVG inside of its page: the first ranks over time, the distributions of its
// markers with the quantiles that its ranks reach, orders of modes, and clusters of ranks.
#pragma once

#include <string>

#include "app/sweep.hpp"

namespace rehearse::cli {

// Colours that stay apart for colour-blind readers (M. Okabe, K. Ito, Color universal design, 2008).
const char* sweep_colour(std::size_t at);

std::string short_seconds(double seconds);

// Sections with headings; empty: there is nothing to show.
std::string timeline_section(const app::SweepReport& report);
std::string marker_section(const app::SweepReport& report);
std::string cluster_section(const app::SweepReport& report);
std::string support_section(const app::SweepReport& report);

}  // namespace rehearse::cli
