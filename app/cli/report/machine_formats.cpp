// SPDX-License-Identifier: MIT
//
// Reports of check for other programs.
#include "app/cli/report/machine_formats.hpp"

#include <iostream>

#include "app/cli/report/annotations.hpp"
#include "app/cli/report/junit.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/report/place_in_tree.hpp"
#include "app/cli/report/sarif.hpp"
#include "app/cli/verb_options.hpp"
#include "app/wording.hpp"

namespace rehearse::cli {
namespace {

JUnitCase junit_case(const app::CheckReport& report) {
  JUnitCase result;
  result.name = report.program + " on " + app::counted(report.ranks, "rank");
  result.class_name = "rehearse.check";
  result.seconds = report.seconds;
  const app::Answer answer = app::answer_of(report.verdict);
  if (answer == app::Answer::verified) return result;
  const Finding* error = app::first_error(report.verdict);
  result.result = error != nullptr ? JUnitCase::Result::failure : JUnitCase::Result::error;
  result.type = error != nullptr ? error->id.text() : std::string(app::name_of(answer));
  result.message = verdict_line(report);
  for (const Finding& finding : report.verdict.findings)
    if (finding.severity == Severity::error) result.text += app::describe(finding);
  for (const std::string& reason : report.verdict.reasons) result.text += reason + "\n";
  return result;
}

}  // namespace

void declare(OptionSet& app, MachineFormats& formats) {
  app.add_option("--sarif", formats.sarif, "file to write SARIF 2.1.0 to (-: standard output)");
  app.add_option("--junit", formats.junit, "file to write JUnit XML with one test case to (-: standard output)");
  app.add_option("--format", formats.format, "what to print: text, or annotations of GitHub Actions")
      ->check(one_of({"text", "github"}));
}

Result<void> check_conflicts(const MachineFormats& formats, const std::string& json) {
  std::string first = formats.format == "github" ? "--format github" : "";
  for (const auto& [name, file] :
       {std::pair("--json -", json), std::pair("--sarif -", formats.sarif), std::pair("--junit -", formats.junit)}) {
    if (file != "-") continue;
    if (!first.empty())
      return Error{first + " and " + name + " both write to standard output; give one of them a file"};
    first = name;
  }
  return {};
}

bool print_annotations(const MachineFormats& formats, const app::CheckReport& report) {
  if (formats.format != "github") return false;
  std::cout << github_annotations(report, current_folder()) << std::flush;
  return true;
}

Result<void> write(const MachineFormats& formats, const app::CheckReport& report) {
  if (!formats.sarif.empty()) {
    const Result<void> written = write_json(formats.sarif, sarif_log(report, current_folder()));
    if (!written) return Error{"--sarif: " + written.error().text};
  }
  if (formats.junit.empty()) return {};
  const Result<void> written = write_text(formats.junit, junit_xml({{"rehearse check", {junit_case(report)}}}));
  return written ? written : Error{"--junit: " + written.error().text};
}

}  // namespace rehearse::cli
