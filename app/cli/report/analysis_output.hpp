// SPDX-License-Identifier: MIT
//
// The output of an analysis of a replayed trace: tables as text, JSON, and a page for browsers.
#pragma once

#include <string>
#include <vector>

#include "app/cli/report/html_report.hpp"
#include "app/json.hpp"
#include "app/log_gops_replay.hpp"
#include "app/trace_replay.hpp"

namespace rehearse::cli {

class OptionSet;

struct AnalysisOptions {
  std::string json, report;  // files; empty: none
  bool is_quiet = false;
};

// --json, --report, --quiet.
void declare(OptionSet& app, AnalysisOptions& options);

struct Analysis {
  std::string verb;
  std::string file;
  const app::TraceReplay& replay;
  app::Json json;
  std::vector<ReportTable> printed;  // empty: the replay did not end
  std::vector<ReportTable> shown;    // on the page
  std::vector<std::string> caveats;
};

// Prints findings, tables and caveats, and writes the files. The exit status.
int put_out(const Analysis& analysis, const AnalysisOptions& options);

// The same for a schedule in the LogGOPS model, which has no page.
struct LogGopsAnalysis {
  std::string verb;
  const app::LogGopsRequest& request;
  const app::LogGopsReplay& replay;
  app::Json json;
  std::vector<ReportTable> printed;  // empty: the replay did not end
};
int put_out(const LogGopsAnalysis& analysis, const AnalysisOptions& options);

}  // namespace rehearse::cli
