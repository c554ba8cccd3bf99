// SPDX-License-Identifier: MIT
//
// The options that ask for pictures of a run, and the files that they make.
//
// Errors: a file whose ending is not known is refused when the options are read, with the endings that are; what
//         cannot be written is said afterwards, and no half of it is left.
#pragma once

#include <string>

#include "app/cli/recording/exports.hpp"
#include "app/cli/report/html_report.hpp"
#include "app/timed_run.hpp"

namespace rehearse::cli {

class OptionSet;

struct PictureOptions {
  std::string timeline;  // empty: none
  std::string sequence;
  std::string report;

  bool any() const { return !timeline.empty() || !sequence.empty() || !report.empty(); }
};

void declare(OptionSet& app, PictureOptions& options);

// What has to be recorded for them.
app::Recorded needed_for(const PictureOptions& options);

// Only the page for browsers.
void declare_report(OptionSet& app, std::string& file);

// Writes what was asked for; `report` says what the page says besides the recording. Errors begin with the
// option.
Result<void> write_pictures(const PictureOptions& options, const app::Recording& recording, const Subject& subject,
                            HtmlReport report);

}  // namespace rehearse::cli
