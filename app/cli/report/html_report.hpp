// SPDX-License-Identifier: MIT
//
// The report for browsers: one self-contained file, which loads nothing from a network.
//
// Shape:  a page of cli/report/page/ with the report as JSON in it, and each recording as JSON and, in base64, arrays
//         of little-endian numbers (page/data.js reads them).
// Order:  the same report gives the same bytes.
// Errors: the reason why the file could not be written.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/recording/exports.hpp"
#include "app/finding_json.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::cli {

struct ReportedFinding {
  Finding finding;
  std::optional<std::uint32_t> recording;  // index of the recording that shows it
  std::string note;                        // the reason why there is none
  std::string predicted = {};              // its date on a platform; empty: not requested
};

// Texts in rows; the first column names the row.
struct ReportTable {
  std::string title;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  std::string note;  // below the table; empty: none
};

struct HtmlReport {
  std::string verb;                                        // run, replay, check
  std::string program;                                     // as the user wrote it
  std::string verdict;                                     // verified, violation, inconclusive, completed
  std::string headline;                                    // a sentence
  std::vector<std::pair<std::string, std::string>> facts;  // names and values, shown in this order
  std::vector<ReportedFinding> findings;
  std::vector<ReportTable> tables;      // shown above the recordings
  std::vector<std::string> recordings;  // results of recording_for_page()
  std::vector<std::string> files;       // sources to show in addition to those of the findings
};

// The source files that the recording names.
std::vector<std::string> files_of(const app::Recording& recording);

// The recording as a part of a page. `index`: of the recording on the page.
std::string recording_for_page(const app::Recording& recording, const Subject& subject, std::uint32_t index);

void write_html(std::ostream& out, const HtmlReport& report);

// Writes the page to the file.
Result<void> write_html(const std::string& file, const HtmlReport& report);

}  // namespace rehearse::cli
