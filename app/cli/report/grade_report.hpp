// SPDX-License-Identifier: MIT
//
// The report of `rehearse grade`: as text, as JSON, as JUnit XML, and for Gradescope.
#pragma once

#include <string>
#include <vector>

#include "app/cli/report/junit.hpp"
#include "app/finding_json.hpp"
#include "app/grade.hpp"

namespace rehearse::cli {

std::string text_of(const app::Grade& grade);
std::string total_of(const std::vector<app::Grade>& grades);
app::Json to_json(const std::vector<app::Grade>& grades);
std::vector<JUnitSuite> junit_suites(const std::vector<app::Grade>& grades);

// results.json of Gradescope's autograders.
app::Json gradescope_results(const std::vector<app::Grade>& grades);

}  // namespace rehearse::cli
