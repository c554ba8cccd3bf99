// SPDX-License-Identifier: MIT
//
// Files whose content the calling rank may not know, because ranks use them in a way that is not explored.
#pragma once

#include <string>

namespace rehearse::smpi {

// Reports outcomes that are left out (report_outcomes_left_out), and notes that what the rank reads may be wrong.
void doubt_content(const std::string& what);

// Notes only that what the rank reads may be wrong.
void suspect_content(const std::string& what);

// The first such note of the calling rank; empty: there is none.
std::string doubted_content();

}  // namespace rehearse::smpi
