// SPDX-License-Identifier: MIT
//
// See analysis_output.hpp.
#include "app/cli/report/analysis_output.hpp"

#include <iostream>
#include <utility>

#include "app/cli/message.hpp"
#include "app/cli/recording/picture_options.hpp"
#include "app/cli/report/log_gops_report.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/report/text_table.hpp"
#include "app/cli/report/timed_report.hpp"
#include "app/cli/verb_options.hpp"
#include "app/wording.hpp"

namespace rehearse::cli {
namespace {

void print_tables(const std::vector<ReportTable>& tables) {
  for (const ReportTable& table : tables) {
    TextTable text;
    text.add(table.header);
    for (const std::vector<std::string>& row : table.rows) text.add(row);
    std::cout << '\n' << text.text();
    if (!table.note.empty()) std::cout << table.note << '\n';
  }
}

void print_analysis(const Analysis& analysis) {
  std::cout << summary_of(*analysis.replay.machine, analysis.replay.run) << data_note(analysis.replay.run) << ")\n";
  print_tables(analysis.printed);
  for (const std::string& caveat : analysis.caveats)
    std::cout << (&caveat == &analysis.caveats.front() ? "\n" : "") << app::wrapped("caveat: " + caveat, 100, "  ")
              << '\n';
}

Result<void> write_page(const Analysis& analysis, const std::string& file) {
  const app::TraceReplay& replay = analysis.replay;
  const Subject subject{analysis.file, replay.machine->platform, replay.machine->network};
  HtmlReport page = timed_page(analysis.verb, subject, replay.run, "volumes of the trace");
  page.tables = analysis.shown;
  if (!analysis.caveats.empty()) {
    ReportTable caveats{"Caveats", {"caveat"}, {}, ""};
    for (const std::string& caveat : analysis.caveats) caveats.rows.push_back({caveat});
    page.tables.push_back(std::move(caveats));
  }
  PictureOptions pictures;
  pictures.report = file;
  return write_pictures(pictures, *replay.run.recording, subject, std::move(page));
}

}  // namespace

void declare(OptionSet& app, AnalysisOptions& options) {
  app.add_option("--json", options.json, "file to write the results to, as JSON (-: standard output)");
  declare_report(app, options.report);
  app.add_flag("--quiet", options.is_quiet, "print nothing; only set the exit status, and write the files");
}

int put_out(const Analysis& analysis, const AnalysisOptions& options) {
  const bool is_complete = !analysis.printed.empty();
  if (!options.is_quiet) print_findings(analysis.replay.run, analysis.file, false);
  if (!options.is_quiet && is_complete && options.json != "-") print_analysis(analysis);
  if (!options.json.empty()) {
    app::Json json = timed_report(*analysis.replay.machine, analysis.replay.run, analysis.replay.wall_seconds);
    json["network"] = analysis.replay.machine->network;
    json["format"] = analysis.replay.format;
    json["actions"] = analysis.replay.actions;
    json["caveats"] = app::Json(analysis.caveats);
    if (is_complete) json["analysis"] = analysis.json;
    const Result<void> written = write_json(options.json, json);
    if (!written) return report_error({analysis.verb + ": --json: " + written.error().text});
  }
  if (!options.report.empty())
    if (const auto written = write_page(analysis, options.report); !written)
      return report_error({analysis.verb + ": " + written.error().text});
  return exit_status_of(analysis.replay.run);
}

int put_out(const LogGopsAnalysis& analysis, const AnalysisOptions& options) {
  const app::LogGopsReplay& replay = analysis.replay;
  const bool is_complete = !analysis.printed.empty();
  if (!options.is_quiet) print_findings(replay.findings, replay.unsupported, analysis.request.file, false);
  if (!options.is_quiet && is_complete && options.json != "-") {
    std::cout << summary_of(replay) << '\n';
    print_tables(analysis.printed);
  }
  if (!options.json.empty()) {
    app::Json json = log_gops_report(replay, analysis.request.parameters);
    if (is_complete) json["analysis"] = analysis.json;
    const Result<void> written = write_json(options.json, json);
    if (!written) return report_error({analysis.verb + ": --json: " + written.error().text});
  }
  return exit_status_of(replay.findings, replay.unsupported);
}

}  // namespace rehearse::cli
