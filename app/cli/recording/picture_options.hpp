// SPDX-License-Identifier: MIT
//
// The options that ask for pictures of a run, and the files that they make.
//
// Errors: an unknown ending of a file name, with the known ones, while the options are read; later, a file that
//         cannot be written, of which no part is left.
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

// The recording that they need.
app::Recorded needed_for(const PictureOptions& options);

// Only the option for the page for browsers.
void declare_report(OptionSet& app, std::string& file);

// Writes the requested files. `report`: the page without the recording. Errors begin with the option.
Result<void> write_pictures(const PictureOptions& options, const app::Recording& recording, const Subject& subject,
                            HtmlReport report);

}  // namespace rehearse::cli
