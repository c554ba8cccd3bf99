// SPDX-License-Identifier: MIT
//
// The answer of `rehearse check` as a SARIF log: for code scanning and for editors.
//
// Shape:  one run. Its rules are the whole catalogue of checks; a result is a finding, at the place of its first rank
//         that is in a known file, with the places of the other ranks as related locations and as thread flows. Files
//         in the current folder are relative to it (SRCROOT). The reasons of an inconclusive answer are notifications.
// Source: Static Analysis Results Interchange Format (SARIF) 2.1.0, OASIS standard.
#pragma once

#include "app/cli/report/check_text.hpp"
#include "app/finding_json.hpp"

namespace rehearse::cli {

app::Json sarif_log(const app::CheckReport& report, const std::string& folder);

}  // namespace rehearse::cli
