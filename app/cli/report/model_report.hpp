// SPDX-License-Identifier: MIT
//
// A comparison of network models as text, JSON, and a page for browsers.
#pragma once

#include <string>

#include "app/cli/report/html_report.hpp"
#include "app/json.hpp"
#include "app/model_comparison.hpp"

namespace rehearse::cli {

// `most_rows`: of each table.
std::string text_of(const app::ModelComparison& comparison, std::size_t most_rows);
app::Json to_json(const app::ModelComparison& comparison);
HtmlReport page_of(const app::ModelComparison& comparison, const std::string& verb, const std::string& program);

}  // namespace rehearse::cli
